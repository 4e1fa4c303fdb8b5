import type { QuotaWindow } from '../contract/plans.js'
import { type History, outcomes } from '../readings/history.js'
import { longerThan } from '../readings/key-history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { type StatedWindow, statedErrorMs, statedWindows } from '../readings/stated-window.js'
import { mostWitnesses } from './counting/tally.js'
import type { JudgedKey } from './judged-keys.js'

/** A window of which the target's count and its own statement can't both be right. */
export interface StatementBreach {
  readonly reason: 'over-admission' | 'early-refusal'
  readonly stated: StatedWindow
  /** How many were certainly admitted in the window; for an early refusal, the most that can have been spent. */
  readonly counted: number
  /** Indices into the history: a few of the admissions, or the refusal. */
  readonly witnesses: readonly number[]
}

/** A day that seems to begin so soon after the answer to the run's first request began with that request. */
const beginsWithinMs = 100

/**
 * The most requests that any limiter of the minute lets through in a span: 60 a minute let 240 through in 2.5 minutes,
 * which may touch four windows.
 */
const mostWithin = (spanMs: number, { limit, windowMs }: QuotaWindow): number =>
  spanMs <= 0 ? 0 : limit * (2 + Math.floor(spanMs / windowMs))

/**
 * The latest moment at which the day can have begun, by the waits that lead to its end: each one promises quota when it
 * is over, so the day began at most its length before that. Several waits, named at different parts of a
 * second, make it exact. Where it is the moment of the run's first request, that request opened the day.
 */
const beganBy = (record: KeyRecord, history: History, { beganMs, endsMs }: StatedWindow, dayMs: number): number => {
  let latest = beganMs.to
  for (let i = 0; i < record.size; i += 1) {
    const endMs = record.receivedMs[i] + record.waitMs[i]
    const leadsThere = record.sentMs[i] + record.waitMs[i] <= endsMs.to + statedErrorMs && endMs >= endsMs.from
    if (history.outcome[i] === outcomes.refused && leadsThere) latest = Math.min(latest, endMs - dayMs)
  }
  const opened = latest >= record.sentMs[0] && latest <= record.receivedMs[0] + beginsWithinMs
  return opened ? record.sentMs[0] : latest
}

/** The requests that were certainly decided in the window: their answer names it, or they lie between its ends. */
const decidedIn = (record: KeyRecord, { resets, certainMs }: StatedWindow, fromMs = certainMs.from): number[] => {
  const naming = new Set(resets)
  const from = Math.min(fromMs, certainMs.from)
  return Array.from({ length: record.size }, (_, i) => i).filter(
    (i) => naming.has(i) || (record.sentMs[i] >= from && record.receivedMs[i] <= certainMs.to),
  )
}

/** A key with all that its answers state. */
type StatingKey = Pick<JudgedKey, 'record' | 'window' | 'clock' | 'judgement'>

const breachOf = ({ record, window }: StatingKey, history: History, stated: StatedWindow): StatementBreach | null => {
  const { limit, windowMs } = longerThan(window)
  const began = beganBy(record, history, stated, windowMs)
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
 * Where a key's count and what the target states of its day can't both be right; null where they can. Either more than
 * the limit were admitted in the stated day, or it refused before the limit can have been spent, by this run and by
 * whoever used the key between the day's stated start and the run's. If the day of 1,000 began two minutes before the
 * run and the minute has 60, others spent 240 at most: a refusal after 700 of the run's own is early. Where the minute
 * is broken too nothing bounds that use, and only admissions are held against the key.
 */
export const dayBreach = (key: StatingKey, history: History): StatementBreach | null => {
  for (const stated of statedWindows(key.record, key.window, key.clock)) {
    const breach = breachOf(key, history, stated)
    if (breach && (breach.reason === 'over-admission' || key.judgement?.verdict !== 'fail')) return breach
  }
  return null
}
