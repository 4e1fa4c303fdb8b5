import type { Quota, WindowName } from '../../contract/plans.js'
import { type History, outcomes } from '../history.js'
import type { KeyRecord } from './key-record.js'
import type { TargetClock } from './target-clock.js'

export interface KeyWindow {
  readonly window: WindowName
  readonly quota: Quota
  readonly minuteMs: number
  readonly dayMs: number
}

/** A wait names whole seconds, and rounding it up may add one; a second more is allowed (THROTTLE-5). */
const waitSlackMs = 2_000

/**
 * How far a decision may lie outside the interval that was measured: targets read clocks of whole milliseconds, and
 * their clocks and ours drift apart by up to a tenth of a per mille of the window.
 */
const clockErrorMs = (windowMs: number): number => 1.5 + windowMs * 1e-4

/** Whether a refusal says by itself that not the minute refused, but the day or a ban. */
export const isBeyondMinute = (record: KeyRecord, i: number, { quota, minuteMs }: KeyWindow): boolean =>
  record.waitMs[i] > minuteMs + waitSlackMs ||
  (record.limit[i] === quota.day && quota.day !== quota.minute && record.remaining[i] === 0)

/** How far back an answer is looked for that was there before a request left. */
const mostUnderWay = 500

/**
 * Whether a refusal that shows nothing left of the day can't mean the day: it names a wait of a minute, and an answer just
 * before it showed more of the day than was sent since. Some targets show one limit, and on a 429 a zero, whichever window
 * refused.
 */
const isMinuteAllTheSame = (record: KeyRecord, i: number, { quota, minuteMs }: KeyWindow): boolean => {
  if (!(record.waitMs[i] <= minuteMs + waitSlackMs)) return false
  for (let j = i - 1; j >= Math.max(0, i - mostUnderWay); j -= 1) {
    if (record.status[j] !== 200 || !(record.receivedMs[j] <= record.sentMs[i])) continue
    return record.limit[j] === quota.day && record.remaining[j] > i - j
  }
  return false
}

/** What is known of the key by the time of a request. */
interface Before {
  readonly refused: boolean
  /** Whether this run alone may have spent the key's day. */
  readonly daySpent: boolean
}

/** What became of a request. Another status than 429 on a key that had been refused before is a ban's. */
const outcomeOf = (record: KeyRecord, i: number, window: KeyWindow, before: Before): number => {
  const status = record.status[i]
  if (record.ordinary[i] === 0) return outcomes.unknown
  if (status >= 200 && status < 300) return outcomes.admitted
  if (status === 429) {
    // Where the answer does not name a window, it may be the day's as soon as so many were sent.
    const beyond = isBeyondMinute(record, i, window) || (before.daySpent && record.limit[i] !== window.quota.minute)
    if (window.window === 'minute') return beyond ? outcomes.excused : outcomes.refused
    // Whether what the minute refused counts in the day is left open (QUOTA-7).
    return beyond && !isMinuteAllTheSame(record, i, window) ? outcomes.refused : outcomes.unknown
  }
  if (status === 403 && before.refused) return outcomes.excused
  return outcomes.unknown
}

/** Without an answer, or with a gateway's, the request may be counted at any later time. */
const isOpenEnded = (receivedMs: number, status: number): boolean => Number.isNaN(receivedMs) || status >= 500

/** A key's record as the oracle reads it: intervals and outcomes, for one of its two windows. */
export const keyHistory = (record: KeyRecord, window: KeyWindow, clock: TargetClock): History => {
  const error = clockErrorMs(window.window === 'minute' ? window.minuteMs : window.dayMs)
  const outcome = new Uint8Array(record.size)
  let firstRefusalAt = Number.POSITIVE_INFINITY
  for (let i = 0; i < record.size; i += 1) {
    const before = { refused: firstRefusalAt <= record.receivedMs[i], daySpent: i >= window.quota.day }
    outcome[i] = outcomeOf(record, i, window, before)
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
    targetEpochOffsetMs: clock.told ? { from: clock.from - 50, to: clock.to + 50 } : null,
  }
}
