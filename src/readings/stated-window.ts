import { type QuotaWindow, secondMs, windowLengthMs } from '../contract/plans.js'
import { placesOf } from '../kit/numbers.js'
import { overlap, type Span } from './history.js'
import { isBeyondMinute, longerThan } from './key-history.js'
import type { KeyRecord } from './key-record.js'
import type { TargetClock } from './target-clock.js'

/**
 * A window as the target itself states it, by every Reset that names its end and every wait that leads there. Example: three
 * answers at 10, 30 and 70 s of the run name Resets at 60, 60 and 120 s. That states two windows of a minute: one from 0 to
 * 60 s and one from 60 to 120 s, each within a second or so.
 */
export interface StatedWindow {
  readonly beganMs: Span
  readonly endsMs: Span
  /** Whatever was decided between these two was certainly decided in the window. */
  readonly certainMs: Span
  /** Indices in the record of the answers whose Reset names its end. */
  readonly resets: readonly number[]
}

/** How far off a moment that a target names may be, through rounding to a second and uncertainty about its clock. */
export const statedErrorMs = secondMs + 200

/** In every time zone on earth, days end at a full quarter of an hour of UTC. */
const quarterHourSeconds = 900
/** How much longer or shorter a calendar day is when the clocks change. */
const summerTimeMs = 3_600_000

/** Whether a Reset, in seconds since the epoch, may be the end of a calendar day. */
export const mayEndCalendarDay = (resetSeconds: number): boolean => resetSeconds % quarterHourSeconds === 0

/** Whether an answer shows the longer window rather than the key's own. */
const shows = (record: KeyRecord, i: number, { limit, longer }: QuotaWindow): boolean =>
  limit !== longer?.limit && record.limit[i] === longer?.limit && Number.isFinite(record.reset[i])

/** Whether an answer is a refusal by the longer window that names a wait. */
const namesWait = (record: KeyRecord, i: number, window: QuotaWindow): boolean =>
  record.status[i] === 429 &&
  record.ordinary[i] === 1 &&
  Number.isFinite(record.waitMs[i]) &&
  isBeyondMinute(record, i, window)

/** The answers that show the longer window, by Reset. Resets a second apart are one moment, rounded differently. */
const byReset = (record: KeyRecord, window: QuotaWindow): number[][] => {
  const showing = placesOf(record.size, (i) => shows(record, i, window)).sort(
    (a, b) => record.reset[a] - record.reset[b],
  )
  const gathered: number[][] = []
  for (const i of showing) {
    const last = gathered.at(-1)
    if (last && record.reset[i] - record.reset[last[0]] <= 1) last.push(i)
    else gathered.push([i])
  }
  return gathered
}

const endOf = (record: KeyRecord, resets: readonly number[], clock: TargetClock): Span => {
  const [least, most] = [record.reset[resets[0]], record.reset[resets[resets.length - 1]]]
  return { from: most * secondMs - statedErrorMs - clock.to, to: least * secondMs + statedErrorMs - clock.from }
}

/** When a wait is over. A wait given as a date is only as exact as the target's clock is known. */
const waitEnd = ({ sentMs, receivedMs, waitMs }: KeyRecord, i: number, { from, to }: TargetClock): Span => ({
  from: sentMs[i] + waitMs[i] - statedErrorMs - (to - from),
  to: receivedMs[i] + waitMs[i] + statedErrorMs,
})

const beginningOf = (end: Span, reset: number, lengthMs: number): Span => {
  const slackMs = lengthMs >= windowLengthMs('day') && mayEndCalendarDay(reset) ? summerTimeMs : 0
  return { from: end.from - lengthMs - slackMs, to: end.to - lengthMs + slackMs }
}

/**
 * The longer windows (days) that a key's answers state, in order. Empty unless all statements agree: no two ends are closer
 * together than W, every answer came within the window whose end it names, and every wait leads to one of the ends. A bucket
 * or a log states none, since its Resets move with each request. O(n log n).
 */
export const statedWindows = (record: KeyRecord, window: QuotaWindow, clock: TargetClock): readonly StatedWindow[] => {
  const lengthMs = longerThan(window).windowMs
  const gathered = byReset(record, window)
  const ends = gathered.map((resets) => endOf(record, resets, clock))
  for (let i = 0; i < record.size; i += 1) {
    if (!namesWait(record, i, window)) continue
    const wait = waitEnd(record, i, clock)
    const place = ends.findIndex((end) => end.from <= wait.to && wait.from <= end.to)
    if (place === -1) return []
    ends[place] = overlap(ends[place], wait)
  }
  const stated = gathered.map((resets, place) => statedBy(record, resets, ends[place], lengthMs))
  const agrees = stated.every(
    (each, place) =>
      isWithin(record, each) &&
      (place === 0 || record.reset[each.resets[0]] - record.reset[stated[place - 1].resets[0]] >= lengthMs / 1000 - 1),
  )
  return agrees ? stated : []
}

const statedBy = (record: KeyRecord, resets: readonly number[], endsMs: Span, lengthMs: number): StatedWindow => {
  const beganMs = beginningOf(endsMs, record.reset[resets[0]], lengthMs)
  const heard = resets.reduce((least, i) => Math.min(least, record.receivedMs[i]), Number.POSITIVE_INFINITY)
  const asked = resets.reduce((most, i) => Math.max(most, record.sentMs[i]), Number.NEGATIVE_INFINITY)
  const certainMs = { from: Math.min(beganMs.to, heard), to: Math.max(endsMs.from, asked) }
  return { beganMs, endsMs, certainMs, resets }
}

const isWithin = ({ sentMs, receivedMs }: KeyRecord, { resets, beganMs, endsMs }: StatedWindow): boolean =>
  beganMs.from <= beganMs.to && resets.every((i) => sentMs[i] <= endsMs.to && receivedMs[i] >= beganMs.from)
