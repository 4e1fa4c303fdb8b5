import { isBeyondMinute, type KeyWindow } from './key-history.js'
import type { KeyRecord } from './key-record.js'
import type { TargetClock } from './target-clock.js'

/** Two instants on the run's clock between which a moment lies, milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A window as the target itself speaks of it: every Reset that names its end, and every wait that leads there. */
export interface StatedWindow {
  readonly beganMs: Span
  readonly endsMs: Span
  /** Whatever was decided between these two was decided in the window: after one of its statements, before another or its end. */
  readonly certainMs: Span
  /** Places in the record of the answers that name its end by their Reset. */
  readonly resets: readonly number[]
  /** How many refusals named a wait that ends with it. */
  readonly waits: number
}

/** A moment in whole seconds stands for a second either way; a clock is read some tenths of one before it is written down. */
const roundingMs = 1_200

/** Days that a calendar ends, wherever on earth, end at a whole quarter of an hour, and may be an hour shorter or longer. */
const quarterSeconds = 900
const dayMs = 86_400_000
const summerTimeMs = 3_600_000

/** Whether an answer shows this window, and not the key's other one. */
const shows = (record: KeyRecord, i: number, { window, quota }: KeyWindow): boolean =>
  quota.minute !== quota.day && record.limit[i] === quota[window] && Number.isFinite(record.reset[i])

/** Whether an answer is a refusal of this window that names a wait. */
const namesWait = (record: KeyRecord, i: number, window: KeyWindow): boolean =>
  record.status[i] === 429 &&
  record.ordinary[i] === 1 &&
  Number.isFinite(record.waitMs[i]) &&
  isBeyondMinute(record, i, window) === (window.window === 'day')

/** The answers that show the window, gathered by the Reset that they name: those a second apart are one, rounded differently. */
const byReset = (record: KeyRecord, window: KeyWindow): number[][] => {
  const showing = Array.from({ length: record.size }, (_, i) => i)
    .filter((i) => shows(record, i, window))
    .sort((a, b) => record.reset[a] - record.reset[b])
  const gathered: number[][] = []
  for (const i of showing) {
    const last = gathered.at(-1)
    if (last && record.reset[i] - record.reset[last[0]] <= 1) last.push(i)
    else gathered.push([i])
  }
  return gathered
}

const overlap = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })

const endOf = (record: KeyRecord, resets: readonly number[], clock: TargetClock): Span => {
  const [least, most] = [record.reset[resets[0]], record.reset[resets[resets.length - 1]]]
  return { from: most * 1000 - roundingMs - clock.to, to: least * 1000 + roundingMs - clock.from }
}

/** A wait that was a date is known as far as the clock is. */
const waitEnd = ({ sentMs, receivedMs, waitMs }: KeyRecord, i: number, { from, to }: TargetClock): Span => ({
  from: sentMs[i] + waitMs[i] - roundingMs - (to - from),
  to: receivedMs[i] + waitMs[i] + roundingMs,
})

const beginningOf = (end: Span, reset: number, lengthMs: number): Span => {
  const slackMs = lengthMs >= dayMs && reset % quarterSeconds === 0 ? summerTimeMs : 0
  return { from: end.from - lengthMs - slackMs, to: end.to - lengthMs + slackMs }
}

/**
 * The windows (the minutes, or the days) that a key's answers speak of, in order, where all that they say agrees: each
 * Reset names the end of one window, no two ends lie closer together than a window is long, every answer came within
 * the window that it names, and every wait leads to the end of one. Empty where something disagrees, as it does where
 * the limiter has no windows (a bucket, a log), and where nothing is said. O(n log n).
 */
export const statedWindows = (record: KeyRecord, window: KeyWindow, clock: TargetClock): readonly StatedWindow[] => {
  const lengthMs = window.window === 'day' ? window.dayMs : window.minuteMs
  const gathered = byReset(record, window)
  const ends = gathered.map((resets) => endOf(record, resets, clock))
  const waits = gathered.map(() => 0)
  for (let i = 0; i < record.size; i += 1) {
    if (!namesWait(record, i, window)) continue
    const wait = waitEnd(record, i, clock)
    const place = ends.findIndex((end) => end.from <= wait.to && wait.from <= end.to)
    if (place === -1) return []
    ends[place] = overlap(ends[place], wait)
    waits[place] += 1
  }
  const stated = gathered.map((resets, place) => statedBy(record, resets, ends[place], waits[place], lengthMs))
  const agrees = stated.every(
    (each, place) =>
      isWithin(record, each) &&
      (place === 0 || record.reset[each.resets[0]] - record.reset[stated[place - 1].resets[0]] >= lengthMs / 1000 - 1),
  )
  return agrees ? stated : []
}

const statedBy = (
  record: KeyRecord,
  resets: readonly number[],
  endsMs: Span,
  waits: number,
  lengthMs: number,
): StatedWindow => {
  const beganMs = beginningOf(endsMs, record.reset[resets[0]], lengthMs)
  const heard = resets.reduce((least, i) => Math.min(least, record.receivedMs[i]), Number.POSITIVE_INFINITY)
  const asked = resets.reduce((most, i) => Math.max(most, record.sentMs[i]), Number.NEGATIVE_INFINITY)
  const certainMs = { from: Math.min(beganMs.to, heard), to: Math.max(endsMs.from, asked) }
  return { beganMs, endsMs, certainMs, resets, waits }
}

const isWithin = ({ sentMs, receivedMs }: KeyRecord, { resets, beganMs, endsMs }: StatedWindow): boolean =>
  beganMs.from <= beganMs.to && resets.every((i) => sentMs[i] <= endsMs.to && receivedMs[i] >= beganMs.from)
