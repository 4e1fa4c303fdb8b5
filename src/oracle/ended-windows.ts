import { type QuotaWindow, secondMs } from '../contract/plans.js'
import { placesOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { isOwnRefusal } from '../readings/key-history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { clocksDifferMs } from '../readings/target-clock.js'
import { givesBackAtOnce, isLongEnough } from './gives-back-at-once.js'
import type { JudgedKey } from './judged-keys.js'

/**
 * Whether only limiters that give everything back at once explain the key's history. In a log or a bucket Reset may just as
 * well be the moment at which everything spent until now is back.
 */
const hasWindows = (key: JudgedKey): boolean => givesBackAtOnce(key) && key.window.limit !== key.window.longer?.limit

/** A window that had ended when a request was admitted after its refusal. */
interface EndedWindow {
  readonly refusal: number
  readonly answer: number
  readonly next: number
  /** How long before the moment that the answer names it had ended, after allowing for rounding and clocks. */
  readonly byMs: number
}

/** The refusals that show the minute's quota, and before which no answer came whose request may be given back. */
const refusalsOfMinute = ({ record, window }: JudgedKey): number[] => {
  const { remaining, status, sentMs, receivedMs } = record
  const refusals: number[] = []
  let givenBackUntilMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < record.size; i += 1) {
    if (status[i] !== 200 && status[i] !== 429) givenBackUntilMs = sentMs[i] + window.windowMs
    const isSpent = showsMinute(record, i, window) && remaining[i] === 0
    if (isOwnRefusal(record, i, window) && isSpent && receivedMs[i] > givenBackUntilMs) refusals.push(i)
  }
  return refusals
}

const showsMinute = ({ limit, reset }: KeyRecord, row: number, window: QuotaWindow): boolean =>
  limit[row] === window.limit && Number.isFinite(reset[row])

/**
 * For each admission requested after a refusal: the refusal with the latest Reset, and the answer with the latest Reset among
 * the refusals and the load answers before them. The window of each has ended by then. Requests outside loads are left out:
 * they may have a count of their own (QUOTA-6).
 */
export function* endedWindows(key: JudgedKey, namesWaits: boolean): Generator<EndedWindow> {
  const { record, window, clock } = key
  if (!(clock.told || namesWaits) || !hasWindows(key)) return
  // A wait counted from an answer's receipt needs no clock of the target, but the answer may have been in transit for long.
  const namedMs = (row: number): number =>
    record.reset[row] * 1000 - secondMs - clock.to - (namesWaits ? record.receivedMs[row] - record.sentMs[row] : 0)
  const byMs = (row: number, next: number): number =>
    namedMs(row) - clocksDifferMs - (clock.contradictionMs ?? 0) - record.receivedMs[next]
  const byReceipt = (a: number, b: number) => record.receivedMs[a] - record.receivedMs[b]
  const refusals = refusalsOfMinute(key).sort(byReceipt)
  const isOfLoad = (i: number) => record.status[i] === 200 && record.ordinary[i] === 1 && 'row' in record.witness(i)
  const served = placesOf(record.size, (i) => showsMinute(record, i, window) && isOfLoad(i)).sort(byReceipt)
  const later = (row: number, known: number | undefined): number =>
    known === undefined || record.reset[row] > record.reset[known] ? row : known
  let [refusal, answer]: (number | undefined)[] = []
  let [heard, before] = [0, 0]
  for (let next = 0; next < record.size; next += 1) {
    for (; record.receivedMs[refusals[heard]] <= record.sentMs[next]; heard += 1) {
      refusal = later(refusals[heard], refusal)
      answer = later(refusals[heard], answer)
      for (; record.receivedMs[served[before]] <= record.sentMs[refusals[heard]]; before += 1)
        answer = later(served[before], answer)
    }
    const isMeant = record.status[next] === 200 && record.ordinary[next] === 1
    if (isMeant && refusal !== undefined && answer !== undefined)
      yield { refusal, answer, next, byMs: byMs(answer, next) }
  }
}

/** How much later a Reset may be than another of the same window: by its second, and by another node's clock. */
const sameEndMs = secondMs + clocksDifferMs

/** How many Resets in a row each have to be later than the one before, and by how much in all: rounding is less. */
const [leastLater, leastAheadMs] = [3, 2 * sameEndMs]

/**
 * Two answers between which Reset moved on as fast as time went by, where whole windows end: no clock of the target explains
 * that, so none has to be known. Example, with 60 s: for 5 s each answer names 60 s from now. The end of the next window comes
 * 60 s later, all at once.
 */
export const slidingEnd = (
  key: JudgedKey,
  namesWaits: boolean,
): { readonly first: number; readonly last: number } | undefined => {
  const { record, window } = key
  const { reset, status, sentMs, receivedMs, ordinary, excused } = record
  if (!hasWindows(key) || !isLongEnough(window)) return undefined
  let [first, last, later] = [0, -1, 0]
  for (let i = 0; i < record.size; i += 1) {
    const isMeant = status[i] === 200 ? ordinary[i] === 1 : isOwnRefusal(record, i, window) && excused[i] === 0
    if (!isMeant || !showsMinute(record, i, window)) continue
    const tookMs = receivedMs[i] - sentMs[i]
    // A wait that is counted from the receipt of its answer may have been in transit all the time.
    const laterMs = (than: number) => (reset[i] - reset[than]) * 1000 - (namesWaits ? tookMs : 0)
    const [roseMs, sinceMs] = [laterMs(last), receivedMs[i] - sentMs[last]]
    const mostMs = Math.min(sinceMs + secondMs, window.windowMs - sameEndMs)
    if (last < 0 || roseMs < 0 || roseMs > mostMs) [first, later] = [i, 0]
    else if (roseMs > 0) later += 1
    last = i
    const isAsFast = laterMs(first) >= sentMs[i] - receivedMs[first] - secondMs
    if (later >= leastLater && laterMs(first) > leastAheadMs && isAsFast) return { first, last }
  }
  return undefined
}

/** Whether answers for a key named a window end that in fact came sooner. */
export const namesNoEnd = onceFor((key: JudgedKey): boolean => {
  for (const { byMs } of endedWindows(key, false)) if (byMs > 0) return true
  return false
})
