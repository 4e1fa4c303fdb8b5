import { limiterName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import { capital, formatDuration, listInWords, present } from '../../kit/words.js'
import { familiesByKey, measuredInWords, openInWords, shareInWords } from '../certificate.js'
import type { RefutationReason } from '../model/quota-rows.js'
import type { LoadRow, QuotaRow, Report, VantageRow } from '../model.js'
import {
  hasBurst,
  limitInWords,
  limitSource,
  modelsPhrase,
  mostAdmittedInWords,
  plansOf,
  quotaName,
  spreadInWords,
  subjectOf,
  waivedInWords,
} from '../quotas.js'
import { probeName } from '../summary.js'
import { type Chart, chartFigure } from './chart.js'
import {
  anchor,
  badge,
  type Html,
  html,
  numberCells,
  scrollingTable,
  section,
  tableHead,
  unbrokenIds,
} from './markup.js'
import { envelopeChart, planCharts } from './plan-charts.js'
import { brokenRules, butView, cardMark, quotaWord } from './plan-row.js'

/** The load whose latency may be quoted: the only one below the limit at an even pace throughout. */
const quotedProfile = 'steady'

const fromPlanned = 'from the planned moment'

/** A load in words; numbered if there are several of its kind on the plan: `…, 2 of 3`. */
const loadName = (rows: readonly LoadRow[], row: LoadRow): string => {
  const name =
    row.profile === 'compliant-clients' && row.behaviour === 'hammering'
      ? 'Clients that ignore every refusal, for comparison with those that wait'
      : probeName(row.profile)
  const all = rows.filter(({ profile, behaviour }) => profile === row.profile && behaviour === row.behaviour)
  return all.length === 1 ? name : `${name}, ${all.indexOf(row) + 1} of ${all.length}`
}

interface LatencyLine {
  readonly row: LoadRow
  readonly name: string
  readonly answers: string
  readonly at: NonNullable<LoadRow['latencyMs']['admitted']>
  readonly isQuoted: boolean
}

const linesOf = (rows: readonly LoadRow[]): LatencyLine[] =>
  rows.flatMap((row) => {
    const name = loadName(rows, row)
    const line = (answers: string, at: LatencyLine['at'] | null | undefined, isQuoted: boolean): LatencyLine[] =>
      at ? [{ row, name, answers, at, isQuoted: isQuoted && row.profile === quotedProfile }] : []
    const { latencyMs: sent, latencyFromPlannedMs: planned } = row
    return [
      ...line('admitted', sent.admitted, !planned?.admitted),
      ...line('refused', sent.refused, false),
      ...line(`admitted, ${fromPlanned}`, planned?.admitted, true),
      ...line(`refused, ${fromPlanned}`, planned?.refused, false),
    ]
  })

/** Uneven loads on other keys that ran at the same time: they may have slowed its answers. */
const besides = ({ load }: Pick<Report, 'load'>, row: LoadRow): string => {
  const others = load.filter(
    (each) =>
      each.plan !== row.plan &&
      each.profile !== quotedProfile &&
      each.startedAt <= row.endedAt &&
      each.endedAt >= row.startedAt,
  )
  const names = [...new Set(others.map(({ profile, plan }) => `${profile} on ${planName(plan)}`))]
  return names.length === 0 ? '' : ` At the same time ${listInWords(names)} ran, which may have slowed its answers.`
}

/** Which row may be quoted as the API's latency, and why no other. */
const quoteInWords = (report: Pick<Report, 'load'>, lines: readonly LatencyLine[]): string => {
  const quoted = lines.find(({ isQuoted }) => isQuoted)
  return quoted === undefined
    ? 'Do not quote these rows as the latency of the API: their loads come in bursts or exceed the limit. To measure that latency, run quota-benchmark: its load “steady” keeps an even pace below the limit.'
    : `To quote the latency of the API, use the row in bold (${quotedProfile}, ${quoted.answers}): only its load keeps an even pace below the limit; the others come in bursts or exceed it.${besides(report, quoted.row)}`
}

const lineView = ({ row, name, answers, at, isQuoted }: LatencyLine): Html =>
  html`<tr${isQuoted && html` class="quoted"`}><th scope="row">${name}<code class="gate-id">${row.profile}</code></th><td>${answers}</td>${numberCells([at.p50, at.p90, at.p99, at.max])}</tr>`

/** How long the answers of each load on a plan took, and which figures may be quoted; nothing if there were none. */
export const latency = (report: Pick<Report, 'load'>, plan: string): Html | false => {
  const lines = linesOf(report.load.filter((row) => row.plan === plan))
  return (
    lines.length > 0 &&
    html`<h4>Latency in milliseconds</h4><p class="how">${quoteInWords(report, lines)}</p><p class="how">Half of the answers came within p50, 99 of 100 within p99. Times “from the planned moment” include waits behind a slow answer, and delays of this machine.</p>
${scrollingTable(`Latency of ${plan}`, html`<table>${tableHead(['Load', 'Answers', 'p50', 'p90', 'p99', 'max'], 2)}<tbody>${lines.map(lineView)}</tbody></table>`)}`
  )
}

const vantageCounts = ['planned', 'sent', 'admitted', 'refused', 'unknown'] as const
const vantageHeads = ['Agent', 'Key', 'Profile', ...vantageCounts.map(capital), 'Clock ± (ms)', 'Sent to']

const clock = ({ clockErrorMs, isClockKept }: VantageRow): Html =>
  html`<td class="number">${clockErrorMs.toFixed(2)}${!isClockKept && html` <span class="quiet">moved</span>`}</td>`

const row = (each: VantageRow): Html =>
  html`<tr><th scope="row"><span class="id">${each.agent}</span></th><td>${each.key}</td><td><span class="id">${each.profile}</span></td>${numberCells(vantageCounts.map((name) => each[name]))}${clock(each)}<td>${each.target}</td></tr>`

/** What each agent sent and saw; nothing if this machine sent everything. */
export const vantages = ({ vantages: rows }: Report): Html | false => {
  if (rows.length === 0) return false
  const untold = rows.reduce((sum, each) => sum + each.untold, 0)
  return section(
    'vantages',
    'Vantage points',
    html`<p class="how">What each machine sent and saw. One shared limiter admits its limit once, however many machines ask. Nodes that count alone admit it once each, which no single machine can see. “Clock” is how far the machine's clock may be from the run's: each of its times counts as an interval that is wider by so much on both sides. If that is more than 5 ms, or if the clock moved, its answers prove no quota.</p>
${untold > 0 && html`<p class="told">An agent or its record was lost, so nobody knows whether ${untold} requests were sent, or how they ended. They count as unknown.</p>`}
${scrollingTable('Vantage points', html`<table class="dense">${tableHead(vantageHeads, 3, 1)}<tbody>${rows.map(row)}</tbody></table>`)}`,
  )
}

/** What the limiter would have done instead of the target. */
const departureInWords: Readonly<Record<RefutationReason, string>> = {
  'over-admission': 'admitted fewer',
  'early-refusal': 'refused fewer',
  both: 'admitted fewer and refused fewer',
}

/** How many witnesses are named next to a limiter that was ruled out; the checks name more. */
const mostWitnesses = 3

const modelRow = (quota: QuotaRow, name: string): Html => {
  const why = quota.refutations[name]
  const verdict = quota.models[name] === 'explained' ? '✓ explains every answer' : 'ruled out'
  const witnesses = why?.witnesses.slice(0, mostWitnesses) ?? []
  return html`<tr><th scope="row">${capital(limiterName(name))}<code class="gate-id">${name}</code></th><td>${verdict}</td><td>${why && departureInWords[why.reason]}</td>${numberCells([why?.overAdmitted, why?.earlyRefused])}<td>${witnesses.map((id, at) => html`${at > 0 && ', '}<span class="id">${id}</span>`)}</td></tr>`
}

/** Which limiters were compared with the answers: how the verdict is known, for those who ask. */
const models = (quota: QuotaRow): Html | false =>
  Object.keys(quota.models).length > 0 &&
  html`<details class="fold how-known"><summary>How we know</summary><p class="how">“${limitInWords(quota)}” can be counted in several honest ways. Each was compared with every answer; for a pass it is enough that one of them explains all answers. A way that is ruled out only shows how this target does not count.</p>${scrollingTable(
    `Limiters compared with ${quotaName(quota, ', ')}`,
    html`<table class="dense">${tableHead(['Way of counting', 'Result', 'It would have', 'Fewer admitted', 'Fewer refused', 'Seen, for example, at'], 3, 1)}<tbody>${Object.keys(quota.models).map((name) => modelRow(quota, name))}</tbody></table>`,
  )}</details>`

const lateness = (lateMs: number): string =>
  lateMs > 0
    ? `In the worst case the key was still refused ${formatDuration(lateMs)} after the moment that a Retry-After had named.`
    : 'No request was refused after waiting as told.'

const recovery = ({ recovery: seen }: QuotaRow): Html | false => {
  if (seen === null) return false
  const named = present(
    seen.retryAfterMs !== null && `Retry-After said ${formatDuration(seen.retryAfterMs)}`,
    seen.resetAfterMs !== null && `Reset said ${formatDuration(seen.resetAfterMs)}`,
  )
  const after =
    seen.afterMs === null
      ? 'No request was admitted after the last refusal, so the run did not see when the quota came back.'
      : `After the last refusal the next request was admitted ${formatDuration(seen.afterMs)} later.`
  return html`<p>${after}${named.length > 0 && ` In that refusal ${listInWords(named)}.`}${seen.lateMs !== null && ` ${lateness(seen.lateMs)}`}</p>`
}

/** The keys on which other spellings were tried, for a plan without such tries: its limit is proven for the plain request. */
const spellingsElsewhere = ({ quotas }: Report, { window, otherSpellings }: QuotaRow): Html | false => {
  const keys = quotas.filter((each) => each.window === window && each.otherSpellings).map(({ plan }) => planName(plan))
  return (
    otherSpellings === false &&
    keys.length > 0 &&
    html`<span class="plan-untried">Other spellings were tried on the ${listInWords(keys)} key only</span>`
  )
}

const countCells = ({ sent, admitted, refused, unknown }: QuotaRow['history']): Html =>
  numberCells([sent, admitted, refused, unknown])

const quotaView = (report: Report, quota: QuotaRow): Html => {
  const spread = spreadInWords(report, quota)
  const measured = measuredInWords(report, quota)
  const open = openInWords(report, quota)
  return html`<div class="quota">${measured !== undefined && html`<p class="measured">${capital(measured)}.</p>`}${open !== undefined && html`<p class="how">${capital(open)}. <a href="#excluded">What that means</a></p>`}<p class="limiter">${capital(modelsPhrase(quota))}.</p>
${scrollingTable(
  `Requests of ${quotaName(quota, ', ')}`,
  html`<table>${tableHead(['Part of the run', 'Sent', 'Admitted', 'Refused', 'Outcome unknown'], 1)}<tbody>
${hasBurst(quota) && html`<tr><th scope="row">Burst on a fresh window, with the request that opened it</th>${countCells(quota)}</tr>`}
<tr><th scope="row">The whole run${spread !== undefined && `, ${spread}`}</th>${countCells(quota.history)}</tr></tbody></table>`,
)}
${quota.history.unknown > 0 && html`<p class="how">“Outcome unknown”: it is not clear whether these requests counted. Each used another spelling or operation than the plain request, got an error, or got no answer. quotaspec takes each as counted or not, whichever favours the target.</p>`}
<p>${mostAdmittedInWords(quota)}</p>
${recovery(quota)}${models(quota)}</div>`
}

type Family = ReturnType<typeof familiesByKey>[number]

const familyCell = ({ excluded, open }: Family['cells'][number]): Html => {
  if (excluded + open.length === 0) return html`<td>–</td>`
  if (open.length === 0) return html`<td>✓ excluded (${excluded})</td>`
  const left = open.map(
    (each) =>
      html`<li><code title="${each.words}">${each.defect}</code> <span class="quiet">${shareInWords(each)}</span></li>`,
  )
  return html`<td>${excluded > 0 && html`✓ excluded (${excluded}), `}open:<ul class="open-defects">${left}</ul></td>`
}

/** Which defective limiters the run would have exposed, by family and key; nothing for a run without certificates. */
const excludedDefects = (report: Report): Html | false =>
  report.certificates.length > 0 &&
  html`<details class="fold" id="excluded"><summary>What this run excludes</summary><p class="how">After the run, quotaspec replayed its requests offline against limiters that have one defect each, and judged those answers too. A defect that showed is excluded; one that did not could hide behind a pass (“open”, with the number of replays that showed it). Retry-After, Reset and Remaining were compared with what was admitted. Since one limiter serves all keys, what one key excludes about nodes, refusals and answers is excluded for all.</p>${scrollingTable(
    'Defects that are excluded',
    html`<table class="dense">${tableHead(['Defect', ...report.certificates.map(({ plan }) => planName(plan))])}<tbody>${familiesByKey(report).map(({ title, cells }) => html`<tr><th scope="row">${title}</th>${cells.map(familyCell)}</tr>`)}</tbody></table>`,
  )}</details>`

export const chartsByPlan = (report: Report): ReadonlyMap<string, readonly Chart[]> => {
  const charts = new Map<string, Chart[]>()
  for (const timeline of report.timelines) {
    const earlier = charts.get(timeline.plan) ?? []
    // A plan may have a story per window; only the charts of the first keep their plain names.
    const suffix = earlier.length === 0 ? '' : `-${earlier.length}`
    charts.set(timeline.plan, [
      ...earlier,
      ...planCharts(report, timeline).map((chart) => ({ ...chart, id: `${chart.id}${suffix}` })),
    ])
  }
  for (const row of report.envelopes) {
    const chart = envelopeChart(report, row)
    if (chart) charts.set(row.plan, [...(charts.get(row.plan) ?? []), chart])
  }
  return charts
}

const panelHead = (report: Report, plan: string, quotas: readonly QuotaRow[]): Html => {
  const rules = quotas.map((quota) => brokenRules(report, quota))
  const [first] = quotas
  const isButBroken = rules.some((each) => each.length > 0)
  const mark = first && badge(cardMark(report, first, isButBroken), true)
  const said = quotas.map((quota, at) => {
    const scaled = quota.windowMs > 0 && report.run.timeScale !== 1
    const but = rules[at] ?? []
    const waived = waivedInWords(report, quota)
    return html`<span class="plan-said"><b>${quotaWord(report, quota)}</b>: ${unbrokenIds(`${limitInWords(quota)}${limitSource(report, quota)}`)}${scaled && ` (a window lasts ${formatDuration(quota.windowMs)} here)`}${but.length > 0 && html`, ${butView(but)}`}${waived !== undefined && `, ${waived}`}${spellingsElsewhere(report, quota)}</span>`
  })
  return html`<summary>${mark}<h3>${planName(plan)}</h3>${said}</summary>`
}

const panel = (report: Report, plan: string, charts: readonly Chart[]): Html => {
  const quotas = report.quotas.filter((quota) => quota.plan === plan)
  return html`<details class="plan folded" id="${anchor('plan', plan)}">${panelHead(report, plan, quotas)}<div class="folded-body">
${quotas.map((quota) => quotaView(report, quota))}
${charts.map(chartFigure)}
${latency(report, plan)}</div></details>`
}

/** A folded panel for each plan: its quotas, how they are known to be kept or broken, its charts and latencies. */
export const plans = (report: Report, charts: ReadonlyMap<string, readonly Chart[]>): Html => {
  const names = plansOf(report)
  const { one, many } = subjectOf(report)
  return html`<section id="plans" aria-labelledby="plans-title"><h2 id="plans-title">${many}</h2>
${names.length === 0 && html`<p class="quiet">This run put no load on any ${one.toLowerCase()}.</p>`}
${excludedDefects(report)}
${names.map((plan) => panel(report, plan, charts.get(plan) ?? []))}</section>`
}
