import type { Fact } from '../../verdict/verdict.js'
import { clip } from '../escape.js'
import type { CheckRow, Report, WitnessRow } from '../model.js'
import {
  capital,
  count,
  counted,
  expectedOf,
  failures,
  sentenceOf,
  undecided,
  waivedFailures,
  warnings,
} from '../summary.js'
import { exchangeView, type Named, namedBy } from './exchange-view.js'
import { commandBox, verdictBadge, waivedBadge, warningBadge } from './marks.js'
import { anchor, type Html, html } from './tag.js'

/** Exchanges that a finding shows at once; the rest are a click away. */
const shownAtOnce = 3

/** Exchanges that a finding shows at all. */
const mostShown = 12

/** The most that is shown of a fact, and of a message. */
const longestFact = 400
const longestMessage = 2_000

/** Characters of markup that all exchanges together may take; the saved run holds the rest. */
const evidenceBudget = 600_000

/** The exchanges of the report, each of which is shown in full only once, and all within one budget. */
export interface FindingEvidence {
  readonly byId: ReadonlyMap<string, WitnessRow>
  readonly shown: Set<string>
  budget: number
}

/** The exchanges of a report, none of them shown yet. */
export const evidenceOf = (report: Report): FindingEvidence => ({
  byId: new Map(report.exchanges.map((x) => [x.id, x])),
  shown: new Set(),
  budget: evidenceBudget,
})

/** The exchange in full, where the budget still has room for it. */
export const shownInFull = (
  x: WitnessRow,
  named: Named | null,
  open: boolean,
  evidence: FindingEvidence,
): Html | null => {
  const view = exchangeView(x, named, open)
  if (view.markup.length > evidence.budget) return null
  evidence.budget -= view.markup.length
  evidence.shown.add(x.id)
  return view
}

const witnessView = (id: string, at: number, check: CheckRow, evidence: FindingEvidence): Html => {
  if (evidence.shown.has(id)) {
    return html`<p class="quiet"><a href="#${anchor('exchange', id)}">${id}</a> is shown above.</p>`
  }
  const x = evidence.byId.get(id)
  const view = x === undefined ? null : shownInFull(x, namedBy(check), at < shownAtOnce, evidence)
  return view ?? html`<p class="quiet">${id}: in the saved run, not in this report.</p>`
}

/** `promisedMs` reads as `promised ms`. */
const factName = (name: string): string => name.replace(/(?<=[a-z0-9])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)

const isRecord = (value: Fact): value is { readonly [name: string]: Fact } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A fact for people: a list with commas, what has parts with the name of each; several of those part by part. */
const factText = (value: Fact): string => {
  if (Array.isArray(value)) return value.map(factText).join(value.some(isRecord) ? '; ' : ', ')
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .map(([name, each]) => `${factName(name)} ${factText(each)}`)
    .join(', ')
}

const facts = (check: CheckRow): Html | false => {
  const named = Object.entries(check.facts).filter(([, value]) => factText(value) !== '')
  return (
    named.length > 0 &&
    html`<dl class="finding-facts">${named.map(([name, value]) => html`<div><dt>${clip(factName(name), longestFact)}</dt><dd>${clip(factText(value), longestFact)}</dd></div>`)}</dl>`
  )
}

const leftOut = (check: CheckRow): Html | false => {
  const left = check.witnessesLeftOut + Math.max(0, check.witnesses.length - mostShown)
  return left > 0 && html`<p class="quiet">The saved run holds ${counted(left, 'more exchange')} that show this.</p>`
}

const finding = (
  report: Report,
  check: CheckRow,
  badge: Html,
  evidence: FindingEvidence,
): Html => html`<article class="finding ${check.verdict}">
<div class="finding-head">${badge}<h3>${check.clauses.map((id, at) => html`${at > 0 && ', '}<a href="#${anchor('clause', id)}">${id}</a>`)} <span class="promise">${sentenceOf(report, check.clauses[0] ?? '') || check.promise}</span></h3></div>
${expectedOf(report, check) !== '' && html`<p class="expected">Expected: ${expectedOf(report, check)}</p>`}
<p class="seen">${clip(capital(check.message), longestMessage)}</p>
${check.waived !== null && html`<p class="quiet">Waived until ${check.waived.until} by ${check.waived.owner}: ${clip(check.waived.reason, longestMessage)}</p>`}
${facts(check)}
<h4>Play this check alone</h4>
${commandBox(check.command, `the command that plays ${check.id} alone`)}
${check.witnesses.length > 0 && html`<h4>Evidence</h4>`}
${check.witnesses.slice(0, mostShown).map((id, at) => witnessView(id, at, check, evidence))}
${leftOut(check)}
</article>`

const group = (
  report: Report,
  title: string,
  id: string,
  checks: readonly CheckRow[],
  badge: Html,
  evidence: FindingEvidence,
): Html | false =>
  checks.length > 0 &&
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="count">${count(checks.length)}</span></h2>${checks.map((check) => finding(report, check, badge, evidence))}</section>`

/** What failed, with its evidence; then what could not be decided, what is waived, and the warnings. Says so where nothing failed. */
export const findings = (report: Report, evidence: FindingEvidence): Html => {
  const failed = failures(report)
  const none =
    failed.length === 0 &&
    html`<section id="failed" aria-labelledby="failed-title"><h2 id="failed-title">What failed</h2><p class="quiet">No check that counts failed.</p></section>`
  return html`${none}
${group(report, 'What failed', 'failed', failed, verdictBadge('fail'), evidence)}
${group(report, 'What could not be decided', 'undecided', undecided(report), verdictBadge('inconclusive'), evidence)}
${group(report, 'Known and waived', 'waived', waivedFailures(report), waivedBadge, evidence)}
${group(report, 'Warnings', 'warnings', warnings(report), warningBadge, evidence)}`
}
