import { type History, outcomes } from '../readings/history.js'
import { clockErrorMs } from '../readings/key-history.js'
import { type CountedQuota, openEnded, someRefusal } from './counted-quota.js'
import type { Rows } from './rows.js'

/** A part of one key's requests, for the oracle. */
export interface Stretch {
  readonly history: History
  /** The row of each request of the history. */
  readonly rows: Uint32Array
}

/** The most requests that are judged at once: some seconds of work for the oracle at the very worst. */
const mostRequests = 32_768

/** How much of a stretch is judged again with the next, in windows. */
const overlapWindows = 3

/** The longest time after which a request may still be decided when a gateway has given up on it. */
export const decidedLaterMs = 300_000

/**
 * Splits a key's requests into stretches that can be judged, each overlapping the one before. Earlier requests may have
 * spent any amount of the quota; requests that may have been decided on either side of a stretch's beginning count as
 * unknown. A refusal that may have been decided after a request outside the stretch is excused.
 *
 * @param requests in order of sending: every one that can have been decided from `fromMs` on, and every one that was sent before
 *   `untilMs`; earlier and later ones may be missing.
 * @param baseMs what times count from, so that they are small.
 */
export function* stretchesOf(
  all: Rows,
  requests: { readonly rows: Uint32Array; readonly fromMs: number; readonly untilMs: number },
  counted: CountedQuota,
  baseMs: number,
): Generator<Stretch> {
  const { rows, fromMs, untilMs } = requests
  const errorMs = clockErrorMs(counted.windowMs)
  const sentMs = (row: number) => all.sentMs[row] - errorMs
  let first = 0
  while (first < rows.length && sentMs(rows[first]) < fromMs) first += 1
  // Requests that were sent before a stretch, and may have been decided in it.
  let open: number[] = []
  for (let from = first, seen = 0; from < rows.length; ) {
    const to = Math.min(rows.length, from + mostRequests)
    const startMs = sentMs(rows[from])
    const endMs = to < rows.length ? sentMs(rows[to]) : untilMs - errorMs
    open = [...open, ...rows.subarray(seen, from)].filter((row) => endOf(all, row, counted) + errorMs >= startMs)
    seen = from
    yield stretchOf(all, Uint32Array.from([...open, ...rows.subarray(from, to)]), counted, {
      startMs,
      endMs,
      errorMs,
      baseMs,
    })
    if (to === rows.length) return
    const backMs = endMs - overlapWindows * counted.windowMs
    let next = to
    while (next > from + mostRequests / 2 && sentMs(rows[next - 1]) >= backMs) next -= 1
    from = next
  }
}

/** The latest moment at which a request was decided. */
const endOf = ({ receivedMs, request, status }: Rows, row: number, counted: CountedQuota): number =>
  receivedMs[row] + (counted.outcomeOf(request[row], status[row]) === openEnded ? decidedLaterMs : 0)

const stretchOf = (
  all: Rows,
  rows: Uint32Array,
  counted: CountedQuota,
  { startMs, endMs, errorMs, baseMs }: Readonly<Record<'startMs' | 'endMs' | 'errorMs' | 'baseMs', number>>,
): Stretch => {
  const size = rows.length
  const [sentMs, receivedMs] = [new Float64Array(size), new Float64Array(size)]
  const outcome = new Uint8Array(size)
  for (let i = 0; i < size; i += 1) {
    const row = rows[i]
    const sent = all.sentMs[row] - errorMs
    const received = endOf(all, row, counted) + errorMs
    const became = counted.outcomeOf(all.request[row], all.status[row])
    sentMs[i] = Math.max(sent, startMs) - baseMs
    receivedMs[i] = received - baseMs
    outcome[i] = outcomeWithin(became, sent < startMs, received >= endMs)
  }
  const history = {
    size,
    sentMs,
    receivedMs,
    outcome,
    priorUntilMs: startMs - baseMs,
    targetEpochOffsetMs: null,
  }
  return { history, rows }
}

const outcomeWithin = (became: number, isCutAtStart: boolean, isCutAtEnd: boolean): number => {
  if (became === openEnded) return outcomes.unknown
  const isRefusal = became === outcomes.refused || became === someRefusal
  if (isCutAtStart) return isRefusal ? outcomes.excused : became === outcomes.admitted ? outcomes.unknown : became
  // Refusals that may have another cause count as refusals here, because they are only judged for "too many".
  if (isRefusal && isCutAtEnd) return outcomes.excused
  return became === someRefusal ? outcomes.refused : became
}
