import { limiterName } from '../../../../contract/limiter-models.js'
import { planName } from '../../../../contract/plans.js'
import { formatDuration } from '../../../../kit/duration.js'
import { listInWords } from '../../../../kit/list-in-words.js'
import type { RefutationReason } from '../../../model/quota-rows.js'
import type { QuotaRow, Report } from '../../../model.js'
import { capital, limitInWords, limitSource, modelsPhrase, plansOf, quotaName } from '../../../summary.js'
import { heldBy } from '../../../wording/held-by.js'
import { mostAdmittedInWords } from '../../../wording/most-admitted.js'
import { hasBurst, spreadInWords, waivedInWords } from '../../../wording/quota-standing.js'
import { brokenRules, butView } from '../broken-rules.js'
import type { Chart } from '../charts/chart.js'
import { chartFigure } from '../charts/chart-figure.js'
import { planCharts } from '../charts/plan-charts.js'
import { numberCells, scrollingTable, unbrokenIds, verdictIcon } from '../marks.js'
import { anchor, type Html, html } from '../tag.js'
import { latency } from './latency.js'
import { cardMark, quotaWord } from './plan-row.js'

const heads = (names: readonly string[]): Html =>
  html`<thead><tr>${names.map((name, at) => html`<th scope="col"${at > 0 && html` class="number"`}>${name}</th>`)}</tr></thead>`

/** What a target did that the limiter would not. */
const departureInWords: Readonly<Record<RefutationReason, string>> = {
  'over-admission': 'admitted fewer',
  'early-refusal': 'refused fewer',
  both: 'decided both ways otherwise',
}

/** Witnesses that are named beside a limiter that was ruled out; the checks name more. */
const mostWitnesses = 3

const modelRow = (quota: QuotaRow, name: string): Html => {
  const why = quota.refutations[name]
  const verdict = quota.models[name] === 'explained' ? '✓ accounts for every answer' : 'ruled out'
  const witnesses = why?.witnesses.slice(0, mostWitnesses) ?? []
  return html`<tr><th scope="row">${capital(limiterName(name))}<code class="gate-id">${name}</code></th><td>${verdict}</td><td>${why && departureInWords[why.reason]}</td>${numberCells([why?.overAdmitted, why?.earlyRefused])}<td>${witnesses.map((id, at) => html`${at > 0 && ', '}<span class="id">${id}</span>`)}</td></tr>`
}

/** Which limiters were held against the answers: how the verdict is known, for who asks. */
const models = (quota: QuotaRow): Html | false =>
  Object.keys(quota.models).length > 0 &&
  html`<details class="fold how-known"><summary>How we know</summary><p class="how">“${limitInWords(quota)}” can be counted in several honest ways. Each was held against every answer; one that accounts for all of them is enough for a pass. That the others are ruled out says only how this target does not count.</p>${scrollingTable(
    `Limiters held against ${quotaName(quota, ', ')}`,
    html`<table class="dense"><thead><tr><th scope="col">Way of counting</th><th scope="col">Result</th><th scope="col">It would have</th><th scope="col" class="number">Fewer admitted</th><th scope="col" class="number">Fewer refused</th><th scope="col">Seen, for example, at</th></tr></thead><tbody>${Object.keys(quota.models).map((name) => modelRow(quota, name))}</tbody></table>`,
  )}</details>`

const lateness = (lateMs: number): string =>
  lateMs > 0
    ? `At worst the key was still refused ${formatDuration(lateMs)} after a moment that a Retry-After of this run had named.`
    : 'No request that came after a named wait was refused.'

const recovery = ({ recovery: seen }: QuotaRow): Html | false => {
  if (seen === null) return false
  const named = [
    ...(seen.retryAfterMs === null ? [] : [`Retry-After said ${formatDuration(seen.retryAfterMs)}`]),
    ...(seen.resetAfterMs === null ? [] : [`Reset said ${formatDuration(seen.resetAfterMs)}`]),
  ]
  const after =
    seen.afterMs === null
      ? 'After the last refusal no request was admitted any more, so when the quota came back was not seen.'
      : `After the last refusal the next request was admitted ${formatDuration(seen.afterMs)} later.`
  return html`<p>${after}${named.length > 0 && ` In that refusal ${listInWords(named)}.`}${seen.lateMs !== null && ` ${lateness(seen.lateMs)}`}</p>`
}

/** On which keys other spellings were asked, beside a plan on whose key none was: its limit is proven for the plain request. */
const spellingsElsewhere = ({ quotas }: Report, { window, otherSpellings }: QuotaRow): Html | false => {
  const keys = quotas.filter((each) => each.window === window && each.otherSpellings).map(({ plan }) => planName(plan))
  return (
    otherSpellings === false &&
    keys.length > 0 &&
    html`<span class="plan-untried">Other spellings were tried on the ${listInWords(keys)} key only</span>`
  )
}

const quotaView = (report: Report, quota: QuotaRow): Html => {
  const spread = spreadInWords(report, quota)
  return html`<div class="quota"><p class="limiter">${capital(modelsPhrase(quota))}.</p>
${scrollingTable(
  `Requests of ${quotaName(quota, ', ')}`,
  html`<table>${heads(['Part of the run', 'Sent', 'Admitted', 'Refused', 'Outcome unknown'])}<tbody>
${hasBurst(quota) && html`<tr><th scope="row">Burst on a fresh window, with the request that opened it</th>${numberCells([quota.sent, quota.admitted, quota.refused, quota.unknown])}</tr>`}
<tr><th scope="row">The whole run${spread !== undefined && `, ${spread}`}</th>${numberCells([quota.history.sent, quota.history.admitted, quota.history.refused, quota.history.unknown])}</tr></tbody></table>`,
)}
${quota.history.unknown > 0 && html`<p class="how">“Outcome unknown”: no answer tells whether it counted. It had another spelling or operation than the plain request, was answered with an error, or not at all. Each is taken as counted or as not counted, whichever speaks for the target.</p>`}
<p>${mostAdmittedInWords(quota)}</p>
${recovery(quota)}${models(quota)}</div>`
}

/** The charts of every plan, as the panels show them. */
export const chartsByPlan = (report: Report): ReadonlyMap<string, readonly Chart[]> => {
  const charts = new Map<string, Chart[]>()
  for (const timeline of report.timelines) {
    const earlier = charts.get(timeline.plan) ?? []
    // A plan may have a story for each window; only the first keeps the plain name of its charts.
    const suffix = earlier.length === 0 ? '' : `-${earlier.length}`
    charts.set(timeline.plan, [
      ...earlier,
      ...planCharts(report, timeline).map((chart) => ({ ...chart, id: `${chart.id}${suffix}` })),
    ])
  }
  return charts
}

const panelHead = (report: Report, plan: string, quotas: readonly QuotaRow[]): Html => {
  const rules = quotas.map((quota) => brokenRules(report, quota))
  const [first] = quotas
  const isButBroken = rules.some((each) => each.length > 0)
  const mark = first && verdictIcon(cardMark(report, first, isButBroken))
  const said = quotas.map((quota, at) => {
    const scaled = quota.windowMs > 0 && isScaled(report)
    const but = rules[at] ?? []
    const waived = waivedInWords(report, quota)
    return html`<span class="plan-said"><b>${quotaWord(report, quota)}</b>: ${unbrokenIds(`${limitInWords(quota)}${limitSource(report, quota)}`)}${scaled && ` (a window lasts ${formatDuration(quota.windowMs)} here)`}${but.length > 0 && html`, ${butView(but)}`}${waived !== undefined && `, ${waived}`}${spellingsElsewhere(report, quota)}</span>`
  })
  return html`<summary>${mark}<h3>${planName(plan)}</h3>${said}</summary>`
}

const isScaled = ({ run }: Report): boolean => run.timeScale !== 1

const panel = (report: Report, plan: string, charts: readonly Chart[]): Html => {
  const quotas = report.quotas.filter((quota) => quota.plan === plan)
  return html`<details class="plan folded" id="${anchor('plan', plan)}">${panelHead(report, plan, quotas)}<div class="folded-body">
${quotas.map((quota) => quotaView(report, quota))}
${charts.map(chartFigure)}
${latency(report, plan)}</div></details>`
}

/** A panel for each plan, folded: its quotas, how they are known to be kept or broken, its charts and its latencies. */
export const plans = (report: Report, charts: ReadonlyMap<string, readonly Chart[]>): Html => {
  const names = plansOf(report)
  const { one, many } = heldBy(report)
  return html`<section id="plans" aria-labelledby="plans-title"><h2 id="plans-title">${many}</h2>
${names.length === 0 && html`<p class="quiet">This run put no load on any ${one.toLowerCase()}.</p>`}
${names.map((plan) => panel(report, plan, charts.get(plan) ?? []))}</section>`
}
