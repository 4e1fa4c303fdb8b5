import { brokenInWords } from '../../contract/clauses.js'
import { planName } from '../../contract/plans.js'
import { capital, count, counted } from '../../kit/words.js'
import type { Fact } from '../../verdict/verdict.js'
import { clip } from '../escape.js'
import {
  breachFirst,
  factsInWords,
  failures,
  followsInWords,
  isRemaining,
  plansOfFinding,
  ruleInWords,
  storyOf,
  storySteps,
  undecided,
  waivedFailures,
  waivedNote,
  warnings,
} from '../findings.js'
import type { CheckRow, QuotaRow, Report, WitnessRow } from '../model.js'
import { breachCount, brokenQuotas, quotaBreachInWords, subjectOf } from '../quotas.js'
import { aloneTimeAside, setFirstInWords } from '../repeating.js'
import { breachChart, burstLineOf, countedAnswer } from './breach-picture.js'
import { chartFigure } from './chart.js'
import { type FindingEvidence, shownInFull, storyView } from './exchange-view.js'
import { anchor, badge, commandBox, type Html, html, type Mark } from './markup.js'
import { nextSteps, shortSteps } from './next-steps.js'
import { quotaTitle } from './plan-row.js'

/** How many exchanges a finding shows: the first openly, the others folded. */
const mostShown = 12

const longestFact = 400
const longestMessage = 2_000

/** What is wrong, in plain words; for an undecided check, the rule that is left open. */
const titleOf = (report: Report, check: CheckRow): string => {
  const [clause = ''] = check.clauses
  const rule = ruleInWords(report, clause) || check.promise
  if (check.verdict !== 'fail') return `Could not check: ${rule}`
  return quotaBreachInWords(check, report.quotas) ?? brokenInWords(clause) ?? rule
}

const isOfQuota = (check: CheckRow): boolean => check.verdict === 'fail' && /^QUOTA-[12]$/.test(check.clauses[0] ?? '')

/** The quotas that the finding calls broken and that have a picture, the smallest first. */
const pictured = (report: Report, check: CheckRow): QuotaRow[] =>
  brokenQuotas(report, check).filter(({ breach }) => breach !== undefined)

/** For over-admission on the picture's plan, the last exchange went too far, so it comes first; otherwise the first. */
const inOrder = (report: Report, check: CheckRow, byId: FindingEvidence['byId']): readonly string[] => {
  const shown = breachFirst(check).slice(0, mostShown)
  const [quota] = pictured(report, check)
  if (check.facts.clause !== 'QUOTA-1' || !quota) return shown
  const isOfPicture = (id: string) => `${quota.plan} `.startsWith(`${byId.get(id)?.key ?? '?'} `)
  return [...shown.filter(isOfPicture).toReversed(), ...shown.filter((id) => !isOfPicture(id))]
}

const wordsOf = (fact: Fact): string[] => {
  if (typeof fact === 'string') return fact.length > 1 ? [fact.toLowerCase()] : []
  if (typeof fact === 'number') return [String(fact)]
  if (typeof fact !== 'object' || fact === null) return []
  return (Array.isArray(fact) ? fact : Object.values(fact)).flatMap(wordsOf)
}

/** What to mark in a check's exchanges, in lower case. The numbers of a broken quota occur in no answer. */
const namedBy = ({ clauses, facts, headers }: CheckRow, marked: readonly string[] = []): ReadonlySet<string> => {
  const isCounted = clauses.some((id) => id === 'QUOTA-1' || id === 'QUOTA-2')
  const words = wordsOf(facts).filter((word) => !isCounted || !/^[\d.]+$/.test(word))
  return new Set([...words, ...[...headers, ...marked].map((each) => each.toLowerCase())])
}

const witnessView = (
  id: string,
  isOpen: boolean,
  check: CheckRow,
  evidence: FindingEvidence,
  hasCommand = true,
  marked: readonly string[] = [],
): Html => {
  if (evidence.shown.has(id))
    return html`<p class="quiet"><a href="#${anchor('exchange', id)}">${id}</a> is shown above.</p>`
  const x = evidence.byId.get(id)
  const exchange = x === undefined ? null : shownInFull(x, namedBy(check, marked), isOpen, evidence, hasCommand)
  return exchange ?? html`<p class="quiet">${id}: in the saved run, not in this report.</p>`
}

const leftOut = (check: CheckRow): Html | false => {
  const left = check.witnessesLeftOut + Math.max(0, check.witnesses.length - mostShown)
  return left > 0 && html`<p class="quiet">The saved run holds ${counted(left, 'more exchange')} that show this.</p>`
}

/** The headers that show Remaining: next to the count of a broken limit they deserve a mark. */
const remainingHeaders = (x: WitnessRow | undefined): string[] =>
  x?.response?.headers.flatMap(([name]) => (isRemaining(name) ? [name] : [])) ?? []

const countedViews = (
  report: Report,
  check: CheckRow,
  evidence: FindingEvidence,
  quota: QuotaRow,
  isOpen: boolean,
): Html[] =>
  (quota.breach?.shownBy ?? []).map((each) => {
    const x = evidence.byId.get(each.id)
    return html`<p class="counted">${countedAnswer(report, quota, each, x)}</p>${witnessView(each.id, isOpen, check, evidence, false, remainingHeaders(x))}`
  })

const inOrderOfSending = html`<p class="quiet">The number behind # is the order of sending; answers may come in another order.</p>`

/** The evidence for the picture's broken limit, from the same stretch; that of other broken plans is folded. */
const crossingView = (report: Report, check: CheckRow, evidence: FindingEvidence): Html | false => {
  const [quota, ...others] = isOfQuota(check) ? pictured(report, check) : []
  if (quota === undefined) return false
  const views = countedViews(report, check, evidence, quota, true)
  if (views.length === 0) return false
  return html`<h4>${quota.breach?.kind === 'over-admission' ? 'The last one within the limit, and the first one beyond it' : 'The refusal that came too early'}</h4>
${burstLineOf(quota)}${views.length > 1 && inOrderOfSending}${views}
${others.map((other) => html`<details class="fold"><summary>The same on ${quotaTitle(other)}: ${breachCount(other) ?? ''}</summary>${countedViews(report, check, evidence, other, false)}</details>`)}`
}

const foldedExchanges = (ids: readonly string[], check: CheckRow, evidence: FindingEvidence): Html | false =>
  ids.length > 0
    ? html`<details class="fold"><summary>${counted(ids.length, 'more exchange')}</summary>${ids.map((id) => witnessView(id, false, check, evidence))}${leftOut(check)}</details>`
    : leftOut(check)

const evidenceView = (report: Report, check: CheckRow, evidence: FindingEvidence): Html | false => {
  const crossing = crossingView(report, check, evidence)
  const ids = inOrder(report, check, evidence.byId)
  if (crossing !== false) {
    const further = ids.filter((id) => !evidence.shown.has(id))
    return html`${crossing}${foldedExchanges(further, check, evidence)}`
  }
  const [first, ...others] = ids
  if (first === undefined) return leftOut(check)
  const story = storyOf(check)
  const all = ids.flatMap((id) => evidence.byId.get(id) ?? [])
  const steps = story === undefined ? [] : storySteps(story, all)
  if (story !== undefined && steps.length > 0) {
    // If all exchanges tell a story, those missing from the report are named too.
    const told = steps.length === all.length ? ids : steps.map(({ id }) => id)
    const further = ids.filter((id) => !told.includes(id))
    return html`<h4>${story.title}</h4>${storyView(check, story, steps)}${told.map((id) => witnessView(id, true, check, evidence, false))}${foldedExchanges(further, check, evidence)}`
  }
  return html`<h4>${check.verdict === 'fail' ? 'An exchange that shows it' : 'What was seen'}</h4>
${witnessView(first, true, check, evidence)}
${foldedExchanges(others, check, evidence)}`
}

const factsView = (check: CheckRow): Html | false => {
  const named = factsInWords(check.facts)
  return (
    named.length > 0 &&
    html`<details class="fold"><summary>The figures</summary><dl class="finding-facts">${named.map(([label, text]) => html`<div><dt>${clip(label, longestFact)}</dt><dd>${clip(text, longestFact)}</dd></div>`)}</dl></details>`
  )
}

const pictureOf = (report: Report, check: CheckRow) => {
  const [quota] = isOfQuota(check) ? pictured(report, check) : []
  return quota ? breachChart(report, quota) : null
}

const witnessesOf = (report: Report, check: CheckRow, { byId }: FindingEvidence): WitnessRow[] =>
  inOrder(report, check, byId).flatMap((id) => byId.get(id) ?? [])

/** The broken rule; for an undecided check, whose title is the rule, only a link to it. */
const ruleView = (report: Report, check: CheckRow): Html => {
  const links = check.clauses.map((id, at) => html`${at > 0 && ', '}<a href="#${anchor('clause', id)}">${id}</a>`)
  if (check.verdict !== 'fail') return html`<p class="rule">The rule: ${links}</p>`
  return html`<p class="rule">The rule (${links}): ${ruleInWords(report, check.clauses[0] ?? '') || check.promise}</p>`
}

/** What to do about a failure; for an undecided check, the command that plays it alone, folded. */
const aloneView = (check: CheckRow): Html => {
  if (check.verdict === 'fail') return shortSteps(check)
  const box = commandBox(check.command, `the command that runs only ${check.id}`)
  return html`<details class="fold"><summary>Run only this check${aloneTimeAside(check)}</summary>${box}</details>`
}

/** A plan's name, linked to its panel, which shows how each way of counting compares with its answers. */
const planLink = ({ quotas }: Report, plan: string): Html | string =>
  quotas.some((quota) => quota.plan === plan)
    ? html`<a href="#${anchor('plan', plan)}">${planName(plan)}</a>`
    : planName(plan)

/** How the plans relate to a finding: a failure was seen on them; an undecided check is only about them. */
const placeOf = (report: Report, { verdict }: CheckRow, plans: number): string => {
  const { one, many } = subjectOf(report)
  if (verdict === 'fail') return 'Seen on'
  return plans === 1 ? one : many
}

/** One finding: what is wrong, where, and its evidence. The run's gravest also gets its picture and next steps. */
export const findingCard = (
  report: Report,
  check: CheckRow,
  { mark, evidence, isWorst }: { mark: Mark; evidence: FindingEvidence; isWorst: boolean },
): Html => {
  const plans = plansOfFinding(report, check, evidence.byId)
  const picture = isWorst ? pictureOf(report, check) : null
  const follows = followsInWords(check)
  return html`<article class="finding ${check.verdict}">
<div class="finding-head">${badge(mark)}<h3>${clip(capital(titleOf(report, check)), longestMessage)}</h3></div>
<p class="seen">${clip(capital(check.message), longestMessage)}</p>
${follows !== undefined && html`<p class="follows"><b>${follows}</b></p>`}
${ruleView(report, check)}
${plans.length > 0 && html`<p class="quiet">${placeOf(report, check, plans.length)}: ${plans.map((plan, at) => html`${at > 0 && ', '}${planLink(report, plan)}`)}${isOfQuota(check) && ' (the panel of each plan shows how we know)'}</p>`}
${check.waived !== null && html`<p class="quiet">${clip(waivedNote(check.waived), longestMessage)}</p>`}
${picture !== null && chartFigure(picture)}
${evidenceView(report, check, evidence)}
${factsView(check)}
${isWorst ? nextSteps(report, check, witnessesOf(report, check, evidence)) : aloneView(check)}
</article>`
}

/** How many findings other than failures are open; the others are folded. */
const mostOpen = 3

const cardsOf = (cards: readonly Html[], areFailures: boolean): Html => {
  const open = areFailures ? cards : cards.slice(0, mostOpen)
  const folded = cards.slice(open.length)
  return html`${open}${folded.length > 0 && html`<details class="fold"><summary>${counted(folded.length, 'more finding')}</summary>${folded}</details>`}`
}

const group = (
  report: Report,
  title: string,
  id: string,
  checks: readonly CheckRow[],
  mark: Mark,
  evidence: FindingEvidence,
  isFirst = false,
): Html | false =>
  checks.length > 0 &&
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="count">${count(checks.length)}</span></h2>${cardsOf(
    checks.map((check, at) => findingCard(report, check, { mark, evidence, isWorst: isFirst && at === 0 })),
    isFirst,
  )}</section>`

/** What failed, with evidence; then what is undecided, waived, or a warning. Says so if nothing failed. */
export const findings = (report: Report, evidence: FindingEvidence): Html => {
  const failed = failures(report)
  const none =
    failed.length === 0 &&
    html`<section id="failed" aria-labelledby="failed-title"><h2 id="failed-title" class="for-readers">What failed</h2><p class="nothing-failed">No rule that can fail the run is broken.</p></section>`
  // If something failed, its steps say what the commands need.
  const setFirst = setFirstInWords(report)
  return html`${none}
${failed.length === 0 && setFirst !== undefined && html`<p class="quiet">${setFirst}</p>`}
${group(report, 'What failed', 'failed', failed, 'fail', evidence, true)}
${group(report, 'Inconclusive', 'undecided', undecided(report), 'inconclusive', evidence)}
${group(report, 'Known and waived', 'waived', waivedFailures(report), 'waived', evidence)}
${group(report, 'Warnings', 'warnings', warnings(report), 'warning', evidence)}`
}
