import { planName } from '../../../../contract/plans.js'
import { listInWords } from '../../../../kit/list-in-words.js'
import type { LoadRow, Report } from '../../../model.js'
import { probeName } from '../../../wording/probe-names.js'
import { numberCells, scrollingTable } from '../marks.js'
import { type Html, html } from '../tag.js'

/** The load whose latency may be quoted: the only one that keeps below the limit, at an even pace, from end to end. */
const quotedProfile = 'steady'

const fromPlanned = 'from the planned moment'

const isSameLoad = (row: LoadRow, other: LoadRow): boolean =>
  row.profile === other.profile && row.behaviour === other.behaviour

/** What a load is, in words; numbered where there are several of its kind on the plan: `…, 2 of 3`. */
const loadName = (rows: readonly LoadRow[], row: LoadRow): string => {
  const name =
    row.profile === 'compliant-clients' && row.behaviour === 'hammering'
      ? 'Clients that ignore every refusal, for comparison with those that wait'
      : probeName(row.profile)
  const all = rows.filter((each) => isSameLoad(each, row))
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

/** Loads of other keys that were under way beside one, and are no even pace: they may have slowed its answers. */
const besides = ({ load }: Pick<Report, 'load'>, row: LoadRow): string => {
  const others = load.filter(
    (each) =>
      each.plan !== row.plan &&
      each.profile !== quotedProfile &&
      each.startedAt <= row.endedAt &&
      each.endedAt >= row.startedAt,
  )
  const names = [...new Set(others.map(({ profile, plan }) => `${profile} on ${planName(plan)}`))]
  return names.length === 0 ? '' : ` Beside it ran ${listInWords(names)}, which may have slowed its answers.`
}

/** Which row may be quoted as the latency of the API, and why none other. */
const quoteInWords = (report: Pick<Report, 'load'>, lines: readonly LatencyLine[]): string => {
  const quoted = lines.find(({ isQuoted }) => isQuoted)
  return quoted === undefined
    ? 'None of these rows is to be quoted as the latency of the API: their loads come in bursts or go beyond the limit. To get one, play quota-benchmark: its load “steady” keeps an even pace below the limit.'
    : `To quote a latency of the API, take the row in bold (${quotedProfile}, ${quoted.answers}): its load alone keeps an even pace below the limit, while the others come in bursts or go beyond it.${besides(report, quoted.row)}`
}

const lineView = ({ row, name, answers, at, isQuoted }: LatencyLine): Html =>
  html`<tr${isQuoted && html` class="quoted"`}><th scope="row">${name}<code class="gate-id">${row.profile}</code></th><td>${answers}</td>${numberCells([at.p50, at.p90, at.p99, at.max])}</tr>`

/** How long the answers of each load on a plan took, and which of these figures may be quoted; nothing where none came. */
export const latency = (report: Pick<Report, 'load'>, plan: string): Html | false => {
  const lines = linesOf(report.load.filter((row) => row.plan === plan))
  return (
    lines.length > 0 &&
    html`<h4>Latency in milliseconds</h4><p class="how">${quoteInWords(report, lines)}</p><p class="how">Half of the answers came within p50, 99 of 100 within p99. Counted from the planned moment, a wait that a slow answer caused for later requests counts too, and so does what this machine sent late.</p>
${scrollingTable(
  `Latency of ${plan}`,
  html`<table><thead><tr><th scope="col">Load</th><th scope="col">Answers</th>${['p50', 'p90', 'p99', 'max'].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead><tbody>${lines.map(lineView)}</tbody></table>`,
)}`
  )
}
