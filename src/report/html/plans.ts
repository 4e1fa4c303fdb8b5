import { formatDuration } from '../../kit/duration.js'
import type { LoadRow, QuotaRow, RefutationReason, Report } from '../model.js'
import { capital, count, limitInWords, modelsPhrase, plansOf, quotaName } from '../summary.js'
import type { Chart } from './chart.js'
import { chartFigure } from './chart-figure.js'
import { numberCells, scrollingTable, verdictBadge } from './marks.js'
import { planCharts } from './plan-charts.js'
import { anchor, type Html, html } from './tag.js'

const heads = (names: readonly string[]): Html =>
  html`<thead><tr>${names.map((name, at) => html`<th scope="col"${at > 0 && html` class="number"`}>${name}</th>`)}</tr></thead>`

/** What a target did that the limiter model would not. */
const refutationInWords: Readonly<Record<RefutationReason, string>> = {
  'over-admission': 'admits too much',
  'early-refusal': 'refuses too early',
  both: 'admits too much, and refuses too early',
}

/** Witnesses that are named beside a refuted model; the checks name more. */
const mostWitnesses = 3

const models = (quota: QuotaRow): Html | false => {
  const rows = Object.entries(quota.models).map(([name, verdict]) => {
    const why = quota.refutations[name]
    return html`<tr><th scope="row"><span class="id">${name}</span></th><td><span class="model ${verdict}">${verdict === 'explained' ? '✓ explains it' : '✗ refuted'}</span></td><td class="did">${why ? refutationInWords[why.reason] : ''}</td>${numberCells([why?.overAdmitted, why?.earlyRefused])}<td class="witnesses">${why?.witnesses.slice(0, mostWitnesses).map((id, at) => html`${at > 0 && ', '}<span class="id">${id}</span>`) ?? ''}</td></tr>`
  })
  return (
    rows.length > 0 &&
    scrollingTable(
      `Limiter models of ${quotaName(quota, ', ')}`,
      html`<table><thead><tr><th scope="col">Limiter</th><th scope="col">Verdict</th><th scope="col">What the target does</th><th scope="col" class="number">Admitted beyond it</th><th scope="col" class="number">Refused too early</th><th scope="col">Witnesses</th></tr></thead><tbody>${rows}</tbody></table>`,
    )
  )
}

const recovery = (quota: QuotaRow): Html | false => {
  const seen = quota.recovery
  if (seen === null) return false
  const after =
    seen.afterMs === null
      ? 'not seen in this run'
      : `${formatDuration(seen.afterMs)} after the last refusal of the load`
  const parts = [
    ...(seen.retryAfterMs === null ? [] : [`Retry-After had said ${formatDuration(seen.retryAfterMs)}`]),
    ...(seen.resetAfterMs === null ? [] : [`Reset had said ${formatDuration(seen.resetAfterMs)}`]),
    ...(seen.lateMs === null ? [] : [seen.lateMs > 0 ? `late by ${formatDuration(seen.lateMs)}` : 'not late']),
  ]
  return html`<p>Served again: ${after}.${parts.length > 0 && ` ${capital(parts.join('; '))}.`}</p>`
}

/** Where no burst was played, its counts are the whole run's. */
const hasBurst = ({ sent, history }: QuotaRow): boolean => sent < history.sent

const quotaView = (
  quota: QuotaRow,
): Html => html`<div class="quota"><h4>${verdictBadge(quota.verdict)} ${limitInWords(quota)}${quota.windowMs > 0 && html` <span class="quiet">(window of ${formatDuration(quota.windowMs)})</span>`}</h4>
<p class="limiter">${capital(modelsPhrase(quota))}.</p>
${scrollingTable(
  `Requests of ${quotaName(quota, ', ')}`,
  html`<table>${heads(['Part of the run', 'Sent', 'Admitted', 'Refused', 'Unknown'])}<tbody>
${hasBurst(quota) && html`<tr><th scope="row">Burst on a fresh window</th>${numberCells([quota.sent, quota.admitted, quota.refused, quota.unknown])}</tr>`}
<tr><th scope="row">The whole run</th>${numberCells([quota.history.sent, quota.history.admitted, quota.history.refused, quota.history.unknown])}</tr></tbody></table>`,
)}
<p>Most admitted in any ${formatDuration(quota.windowMs)}: <strong>${count(quota.worstMinute)}</strong>.</p>
${recovery(quota)}${models(quota)}</div>`

/** The profile of a load, numbered where it put several on the plan: `split 2 of 3`. */
const loadName = (rows: readonly LoadRow[], at: number): string => {
  const { profile } = rows[at] as LoadRow
  const all = rows.filter((row) => row.profile === profile)
  return all.length === 1 ? profile : `${profile} ${all.indexOf(rows[at] as LoadRow) + 1} of ${all.length}`
}

const latency = (plan: string, rows: readonly LoadRow[]): Html | false => {
  const lines = rows.flatMap((row, at) => {
    const name = loadName(rows, at)
    const both = ['admitted', 'refused'] as const
    return [
      ...both.map((outcome) => [`${name}, ${outcome}`, row.latencyMs[outcome]] as const),
      ...both.map(
        (outcome) => [`${name}, ${outcome}, from the planned moment`, row.latencyFromPlannedMs?.[outcome]] as const,
      ),
    ]
  })
  const told = lines.flatMap(([label, at]) =>
    at ? [html`<tr><th scope="row">${label}</th>${numberCells([at.p50, at.p90, at.p99, at.max])}</tr>`] : [],
  )
  return (
    told.length > 0 &&
    html`<h4>Latency in milliseconds</h4><p class="how">Half of the answers came within p50, 99 of 100 within p99. Counted from the planned moment, a wait that the target caused for later requests counts too.</p>
${scrollingTable(`Latency of ${plan}`, html`<table>${heads(['Profile and outcome', 'p50', 'p90', 'p99', 'max'])}<tbody>${told}</tbody></table>`)}`
  )
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

const panel = (
  report: Report,
  plan: string,
  charts: readonly Chart[],
): Html => html`<section class="plan" id="${anchor('plan', plan)}"><h3>${plan}</h3>
${report.quotas.filter((quota) => quota.plan === plan).map(quotaView)}
${charts.map(chartFigure)}
${latency(
  plan,
  report.load.filter((row) => row.plan === plan),
)}</section>`

/** A panel for each plan: its quotas, what the limiter models say, its charts and its latencies. */
export const plans = (report: Report, charts: ReadonlyMap<string, readonly Chart[]>): Html => {
  const names = plansOf(report)
  return html`<section id="plans" aria-labelledby="plans-title"><h2 id="plans-title">Plans</h2>
${names.length === 0 && html`<p class="quiet">This run put no load on any plan.</p>`}
${names.map((plan) => panel(report, plan, charts.get(plan) ?? []))}</section>`
}
