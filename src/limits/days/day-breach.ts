import { type History, outcomes } from '../history.js'
import type { JudgedKey } from '../judged-keys.js'
import type { KeyRecord } from '../readings/key-record.js'
import { type StatedWindow, statedWindows } from '../readings/stated-window.js'
import type { StatementBreach } from './statement-breach.js'

/** A day that opens with the run's first request is stated to begin then, to within the waits' different parts of a second. */
const withinMs = 100

/** A wait names whole seconds, rounded one way or the other. */
const roundingMs = 1_200

const mostWitnesses = 4

/** What goes through in a span at most, whatever the limiter of the minute: twice its limit, and the limit each minute. */
const mostWithin = (spanMs: number, { quota, minuteMs }: JudgedKey['window']): number =>
  spanMs <= 0 ? 0 : quota.minute * (2 + Math.floor(spanMs / minuteMs))

/**
 * The latest moment at which the day can have begun, by the waits that lead to its end: each one promises the quota when
 * it is over (THROTTLE-4), and they are named at different parts of a second. Where that is the moment of the run's first
 * request, as near as can be told, that request has opened the day.
 */
const beganBy = (record: KeyRecord, history: History, { beganMs, endsMs }: StatedWindow, dayMs: number): number => {
  let latest = beganMs.to
  for (let i = 0; i < record.size; i += 1) {
    const endMs = record.receivedMs[i] + record.waitMs[i]
    const leadsThere = record.sentMs[i] + record.waitMs[i] <= endsMs.to + roundingMs && endMs >= endsMs.from
    if (history.outcome[i] === outcomes.refused && leadsThere) latest = Math.min(latest, endMs - dayMs)
  }
  const opened = latest >= record.sentMs[0] && latest <= record.receivedMs[0] + withinMs
  return opened ? record.sentMs[0] : latest
}

/** Places in the record of what was certainly decided in the window: it names the window, or lies between its ends. */
const decidedIn = (record: KeyRecord, { resets, certainMs }: StatedWindow, fromMs = certainMs.from): number[] => {
  const naming = new Set(resets)
  const from = Math.min(fromMs, certainMs.from)
  return Array.from({ length: record.size }, (_, i) => i).filter(
    (i) => naming.has(i) || (record.sentMs[i] >= from && record.receivedMs[i] <= certainMs.to),
  )
}

const breachOf = ({ record, window }: JudgedKey, history: History, stated: StatedWindow): StatementBreach | null => {
  const limit = window.quota.day
  const began = beganBy(record, history, stated, window.dayMs)
  const admitted = decidedIn(record, stated, began).filter((i) => history.outcome[i] === outcomes.admitted)
  if (admitted.length > limit) {
    const witnesses = [admitted[0], ...admitted.slice(1 - mostWitnesses)]
    return { reason: 'over-admission', stated, counted: admitted.length, witnesses }
  }
  const refusal = decidedIn(record, stated).find((i) => history.outcome[i] === outcomes.refused)
  if (refusal === undefined) return null
  let most = mostWithin(history.priorUntilMs - stated.beganMs.from, window)
  for (let i = 0; i < record.size && record.sentMs[i] <= record.receivedMs[refusal]; i += 1) {
    const mayCount = history.outcome[i] === outcomes.admitted || history.outcome[i] === outcomes.unknown
    if (mayCount && history.receivedMs[i] >= stated.beganMs.from) most += 1
  }
  return most < limit ? { reason: 'early-refusal', stated, counted: most, witnesses: [refusal] } : null
}

/**
 * Where a key's count and what the target says of its day can't both be right: more than the limit were admitted in the
 * day that it names, or it refused before so much can have been spent, by this run and by whoever used the key between
 * the day's stated beginning and the run's. Null where both can be right. Of a key whose minute is broken too, nothing
 * bounds that use, so that only admissions are held against it.
 */
export const dayBreach = (key: JudgedKey, history: History): StatementBreach | null => {
  for (const stated of statedWindows(key.record, { ...key.window, window: 'day' }, key.clock)) {
    const breach = breachOf(key, history, stated)
    if (breach && (breach.reason === 'over-admission' || key.judgement?.verdict !== 'fail')) return breach
  }
  return null
}
