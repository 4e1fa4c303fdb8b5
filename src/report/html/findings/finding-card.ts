import { clip } from '../../escape.js'
import type { CheckRow, QuotaRow, Report, WitnessRow } from '../../model.js'
import { capital, counted, plansOf, sentenceOf } from '../../summary.js'
import { brokenInWords } from '../../wording/broken-clauses.js'
import { factsInWords } from '../../wording/fact-names.js'
import { planName } from '../../wording/plan-names.js'
import { brokenPlansOf, quotaBreachInWords } from '../../wording/quota-breach.js'
import { chartFigure } from '../charts/chart-figure.js'
import { commandBox } from '../marks.js'
import { anchor, type Html, html } from '../tag.js'
import { breachChart } from './breach-picture.js'
import { type FindingEvidence, shownInFull } from './evidence-shown.js'
import { namedBy } from './exchange-view.js'
import { nextSteps } from './next-steps.js'

/** Exchanges that a finding shows at all: the first at once, the others folded. */
const mostShown = 12

/** The most that is shown of a fact, and of a message. */
const longestFact = 400
const longestMessage = 2_000

interface CardParts {
  readonly badge: Html
  readonly evidence: FindingEvidence
  /** The gravest finding of a run shows its picture, and what to do next. */
  readonly isWorst: boolean
}

/** What is wrong in plain words; of what could not be decided, the rule that is left open. */
const titleOf = (report: Report, check: CheckRow): string => {
  const [clause = ''] = check.clauses
  if (check.verdict !== 'fail') return sentenceOf(report, clause) || check.promise
  return (
    quotaBreachInWords(check, report.quotas) ?? brokenInWords(clause) ?? (sentenceOf(report, clause) || check.promise)
  )
}

/** The plans that it was seen on: those that it names, else those of the keys of its exchanges. */
const plansOfFinding = (report: Report, check: CheckRow, byId: FindingEvidence['byId']): string[] => {
  const named = brokenPlansOf(check).map(({ plan }) => plan)
  if (named.length > 0) return [...new Set(named)]
  const keys = check.witnesses.map((id) => byId.get(id)?.key ?? '')
  return plansOf(report).filter((plan) => keys.some((key) => key === plan || key.startsWith(`${plan}-`)))
}

/** The quotas that the finding says are broken and that a picture shows, the smallest first. */
const pictured = (report: Report, check: CheckRow): QuotaRow[] => {
  const plans = new Set(brokenPlansOf(check).map(({ plan }) => plan))
  return report.quotas
    .filter(({ plan, breach }) => breach !== undefined && plans.has(plan))
    .toSorted((a, b) => a.limit - b.limit)
}

/** Of what was admitted too much on the plan of the picture the last one went too far; of anything else the first one shows it. */
const inOrder = (report: Report, check: CheckRow, byId: FindingEvidence['byId']): readonly string[] => {
  const shown = check.witnesses.slice(0, mostShown)
  const [quota] = pictured(report, check)
  if (check.facts.clause !== 'QUOTA-1' || !quota) return shown
  const isOfPicture = (id: string) => `${quota.plan} `.startsWith(`${byId.get(id)?.key ?? '?'} `)
  return [...shown.filter(isOfPicture).toReversed(), ...shown.filter((id) => !isOfPicture(id))]
}

const witnessView = (id: string, isOpen: boolean, check: CheckRow, evidence: FindingEvidence): Html => {
  if (evidence.shown.has(id))
    return html`<p class="quiet"><a href="#${anchor('exchange', id)}">${id}</a> is shown above.</p>`
  const x = evidence.byId.get(id)
  const view = x === undefined ? null : shownInFull(x, namedBy(check), isOpen, evidence)
  return view ?? html`<p class="quiet">${id}: in the saved run, not in this report.</p>`
}

const leftOut = (check: CheckRow): Html | false => {
  const left = check.witnessesLeftOut + Math.max(0, check.witnesses.length - mostShown)
  return left > 0 && html`<p class="quiet">The saved run holds ${counted(left, 'more exchange')} that show this.</p>`
}

const evidenceView = (report: Report, check: CheckRow, evidence: FindingEvidence): Html | false => {
  const [first, ...others] = inOrder(report, check, evidence.byId)
  if (first === undefined) return leftOut(check)
  const rest = html`${others.map((id) => witnessView(id, false, check, evidence))}${leftOut(check)}`
  return html`<h4>${check.verdict === 'fail' ? 'An exchange that shows it' : 'What was seen'}</h4>
${witnessView(first, true, check, evidence)}
${others.length > 0 ? html`<details class="fold"><summary>${counted(others.length, 'more exchange')}</summary>${rest}</details>` : leftOut(check)}`
}

const factsView = (check: CheckRow): Html | false => {
  const named = factsInWords(check.facts)
  return (
    named.length > 0 &&
    html`<details class="fold"><summary>The figures</summary><dl class="finding-facts">${named.map(([label, text]) => html`<div><dt>${clip(label, longestFact)}</dt><dd>${clip(text, longestFact)}</dd></div>`)}</dl></details>`
  )
}

/** The picture that the page shows for its gravest finding, where there is one. */
export const pictureOf = (report: Report, check: CheckRow) => {
  const [quota] = /^QUOTA-[12]$/.test(check.clauses[0] ?? '') ? pictured(report, check) : []
  return quota ? breachChart(report, quota) : null
}

const firstWitness = (report: Report, check: CheckRow, { byId }: FindingEvidence): WitnessRow | undefined =>
  inOrder(report, check, byId)
    .flatMap((id) => byId.get(id) ?? [])
    .find(({ curl }) => curl !== null)

/** The rule that is broken; of what could not be decided, whose title is the rule, only where to read it. */
const ruleView = (report: Report, check: CheckRow): Html => {
  const links = check.clauses.map((id, at) => html`${at > 0 && ', '}<a href="#${anchor('clause', id)}">${id}</a>`)
  if (check.verdict !== 'fail') return html`<p class="rule">The rule: ${links}</p>`
  return html`<p class="rule">The rule (${links}): ${sentenceOf(report, check.clauses[0] ?? '') || check.promise}</p>`
}

/** The command that plays the check alone; of what could not be decided it is folded. */
const aloneView = (check: CheckRow): Html => {
  const box = commandBox(check.command, `the command that plays ${check.id} alone`)
  if (check.verdict === 'fail') return html`<h4>Play this check alone</h4>${box}`
  return html`<details class="fold"><summary>Play this check alone</summary>${box}</details>`
}

/** One finding: what is wrong, where, the picture and the first exchange that show it, the others folded. */
export const findingCard = (report: Report, check: CheckRow, { badge, evidence, isWorst }: CardParts): Html => {
  const plans = plansOfFinding(report, check, evidence.byId)
  const picture = isWorst ? pictureOf(report, check) : null
  return html`<article class="finding ${check.verdict}">
<div class="finding-head">${badge}<h3>${clip(capital(titleOf(report, check)), longestMessage)}</h3></div>
<p class="seen">${clip(capital(check.message), longestMessage)}</p>
${ruleView(report, check)}
${plans.length > 0 && html`<p class="quiet">Seen on: ${plans.map(planName).join(', ')}</p>`}
${check.waived !== null && html`<p class="quiet">Waived until ${check.waived.until} by ${check.waived.owner}: ${clip(check.waived.reason, longestMessage)}</p>`}
${picture !== null && chartFigure(picture)}
${evidenceView(report, check, evidence)}
${factsView(check)}
${isWorst ? nextSteps(report, check, firstWitness(report, check, evidence)) : aloneView(check)}
</article>`
}
