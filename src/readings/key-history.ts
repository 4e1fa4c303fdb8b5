import { type QuotaWindow, waitSlackMs } from '../contract/plans.js'
import { onceFor } from '../kit/once-for.js'
import { type History, outcomes } from './history.js'
import { admissionAfter, type KeyRecord } from './key-record.js'
import type { TargetClock } from './target-clock.js'

/** The longer window next to a key's own; throws if there is none. */
export const longerThan = ({ longer }: QuotaWindow): QuotaWindow => {
  if (!longer) throw new Error('there is no longer window beside this one')
  return longer
}

/** Targets read clocks in whole milliseconds, so a moment is up to 1 ms off; half of that is added for safety. */
const readingErrorMs = 1.5
/** Two clocks drift apart by no more than this share of the time between two settings: 6 ms in a minute. */
const driftShare = 1e-4

/** How far a decision may lie outside the measured interval, by the target's clock: 7.5 ms for a minute. */
export const clockErrorMs = (windowMs: number): number => readingErrorMs + windowMs * driftShare

/** A target may read the time for its windows some milliseconds before or after that for its `Date`. */
const dateToWindowMs = 50

const servedAfter = onceFor(admissionAfter)

/** The most windows that a sliding counter's refusal names: it may name the end of the one after the full one. */
const mostWindowsNamed = 2

/**
 * Whether a refusal that shows the minute's limit names a wait of up to two minutes, and the key was served well before that
 * was over. A spent day serves nobody before it ends; a sliding counter that names the end of its next window does.
 */
const isServedBeforeWait = (record: KeyRecord, i: number, { limit, windowMs, longer }: QuotaWindow): boolean => {
  if (record.limit[i] !== limit || longer?.limit === limit) return false
  if (record.waitMs[i] > mostWindowsNamed * windowMs + waitSlackMs) return false
  const served = servedAfter(record)(i)
  return served !== undefined && record.receivedMs[served] < record.receivedMs[i] + record.waitMs[i] - waitSlackMs
}

/**
 * Whether a refusal comes from the day or a ban: it names more than a minute, or shows the day at 0. If a contract gives the
 * key no second window, no wait refers to one, and bans are told by their own rule.
 */
export const isBeyondMinute = (record: KeyRecord, i: number, window: QuotaWindow): boolean => {
  const { limit, windowMs, longer } = window
  if (longer === undefined) return false
  if (record.waitMs[i] > windowMs + waitSlackMs) return !isServedBeforeWait(record, i, window)
  return record.limit[i] === longer.limit && longer.limit !== limit && record.remaining[i] === 0
}

/** Whether the key's own window refused a request, as far as the refusal shows. */
export const isOwnRefusal = (record: KeyRecord, i: number, window: QuotaWindow): boolean =>
  record.status[i] === 429 && record.ordinary[i] === 1 && !isBeyondMinute(record, i, window)

/** Whether an answer shows the key's own window rather than the longer one. */
export const showsOwnLimit = ({ limit: shown }: KeyRecord, i: number, { limit, longer }: QuotaWindow): boolean =>
  shown[i] === limit && limit !== longer?.limit

/** Whether a refusal shows the Reset of the key's own window as spent: whoever refused, it admits nobody before that. */
export const namesOwnReset = (record: KeyRecord, i: number, window: QuotaWindow): boolean =>
  isOwnRefusal(record, i, window) &&
  showsOwnLimit(record, i, window) &&
  (record.excused[i] === 0 || record.remaining[i] === 0)

/** How many rows back an answer is searched that came before a request left: no more are in transit. */
const mostUnderWay = 500

/**
 * Whether a refusal that shows `Remaining: 0` of the day comes from the minute all the same: it names a wait of at most a
 * minute, and an answer just before it showed more of the day than was sent since. Some targets show the day's limit, and 0
 * on each 429, whichever window refused. If 500 of 1,000 were left ten requests earlier, the day is not spent.
 */
const isMinuteAllTheSame = (record: KeyRecord, i: number, { windowMs, longer }: QuotaWindow): boolean => {
  if (!(record.waitMs[i] <= windowMs + waitSlackMs)) return false
  for (let j = i - 1; j >= Math.max(0, i - mostUnderWay); j -= 1) {
    if (record.status[j] !== 200 || !(record.receivedMs[j] <= record.sentMs[i])) continue
    return record.limit[j] === longer?.limit && record.remaining[j] > i - j
  }
  return false
}

type JudgedWindow = 'own' | 'longer'

/** What was known about the key when a request was answered. */
interface Before {
  readonly refused: boolean
  /** Whether this run alone may have spent the key's day by then. */
  readonly daySpent: boolean
}

/** Whether a refusal itself shows that this window refused: whatever it was for, it spent nothing here. */
const isOfWindow = (record: KeyRecord, i: number, window: QuotaWindow): boolean =>
  record.limit[i] === window.limit && record.remaining[i] === 0 && !isBeyondMinute(record, i, window)

/** The outcome of a request. A 403 on a key that was refused before comes from a ban, and is excused. */
const outcomeOf = (record: KeyRecord, i: number, window: QuotaWindow, judged: JudgedWindow, before: Before): number => {
  const status = record.status[i]
  const isServed = status >= 200 && status < 300
  // A day may get requests of any operation: it counts all that it serves.
  if (isServed && judged === 'longer' && record.operation(i) !== null) return outcomes.admitted
  if (record.ordinary[i] === 0)
    return status === 429 && judged === 'own' && isOfWindow(record, i, window) ? outcomes.excused : outcomes.unknown
  if (isServed) return outcomes.admitted
  if (status === 429) {
    // It may still count here, if one quota is charged before the next is checked.
    if (record.excused[i] === 1) return outcomes.unknown
    if (record.blocked[i] === 1) return outcomes.excused
    // If the answer does not show which window refused, it may be the day once the run has sent a day's worth.
    const beyond = isBeyondMinute(record, i, window) || (before.daySpent && record.limit[i] !== window.limit)
    if (judged === 'own') return beyond ? outcomes.excused : outcomes.refused
    // QUOTA-7 leaves open whether the minute's refusals count in the day.
    return beyond && !isMinuteAllTheSame(record, i, window) ? outcomes.refused : outcomes.unknown
  }
  if (status === 403 && before.refused) return outcomes.excused
  return outcomes.unknown
}

/** Whether the request may be counted at any later time: it got no answer, or one from a gateway. */
const isOpenEnded = (receivedMs: number, status: number): boolean => Number.isNaN(receivedMs) || status >= 500

/** A key's record as a history of its own or its longer window: an interval and an outcome for each request. */
export const keyHistory = (
  record: KeyRecord,
  window: QuotaWindow,
  clock: TargetClock,
  judged: JudgedWindow = 'own',
): History => {
  const error = clockErrorMs((judged === 'own' ? window : longerThan(window)).windowMs)
  const outcome = new Uint8Array(record.size)
  let firstRefusalAt = Number.POSITIVE_INFINITY
  for (let i = 0; i < record.size; i += 1) {
    const before = {
      refused: firstRefusalAt <= record.receivedMs[i],
      daySpent: window.longer !== undefined && i >= window.longer.limit,
    }
    outcome[i] = outcomeOf(record, i, window, judged, before)
    if (record.status[i] === 429) firstRefusalAt = Math.min(firstRefusalAt, record.receivedMs[i])
  }
  return {
    size: record.size,
    sentMs: record.sentMs.map((ms) => ms - error),
    receivedMs: record.receivedMs.map((ms, i) =>
      isOpenEnded(ms, record.status[i]) ? Number.POSITIVE_INFINITY : ms + error,
    ),
    outcome,
    priorUntilMs: record.size > 0 ? record.sentMs[0] : 0,
    targetEpochOffsetMs: clock.told ? { from: clock.from - dateToWindowMs, to: clock.to + dateToWindowMs } : null,
  }
}
