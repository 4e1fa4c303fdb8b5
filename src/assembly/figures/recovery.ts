import type { JudgedKey } from '../../oracle/judged-keys.js'
import { type History, outcomes } from '../../readings/history.js'
import type { KeyRecord } from '../../readings/key-record.js'
import type { QuotaRow } from '../../report/model.js'

type SpentKey = Pick<KeyRecord, 'sentMs' | 'receivedMs' | 'waitMs'>

/**
 * For how long a key was refused beyond the moment that Retry-After named, at worst and in milliseconds: from the
 * earliest such moment to the last request that was refused after it, with nothing admitted or unknown in between.
 * Named 10 s, refused at 10.2 s and admitted at 11 s: 200 ms, for nobody asked in between. 0 where everybody who asked
 * after the moment was admitted; null where nobody asked.
 */
export const latenessMs = (record: SpentKey, { size, outcome }: Pick<History, 'size' | 'outcome'>): number | null => {
  let worst: number | null = null
  let promisedMs = Number.POSITIVE_INFINITY
  let busyUntilMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < size; i += 1) {
    const kept = record.sentMs[i] >= promisedMs
    if (outcome[i] === outcomes.refused) {
      if (kept) worst = Math.max(worst ?? 0, record.sentMs[i] - promisedMs)
      const promise = record.receivedMs[i] + record.waitMs[i]
      if (record.sentMs[i] > busyUntilMs && promise < promisedMs) promisedMs = promise
    } else if (outcome[i] === outcomes.admitted || outcome[i] === outcomes.unknown) {
      if (kept && outcome[i] === outcomes.admitted) worst = Math.max(worst ?? 0, 0)
      promisedMs = Number.POSITIVE_INFINITY
      const done = record.receivedMs[i]
      busyUntilMs = Math.max(busyUntilMs, Number.isNaN(done) ? Number.POSITIVE_INFINITY : done)
    }
  }
  return worst === null ? null : Math.round(worst)
}

/** How the key came back after its last 429 of the run: when it was next admitted, and what that 429 had named. */
export const recoveryOf = ({ record, history, clock }: JudgedKey): QuotaRow['recovery'] => {
  const refusals = Array.from({ length: record.size }, (_, i) => i).filter((i) => record.status[i] === 429)
  const last = refusals.reduce((best, i) => (record.receivedMs[i] > record.receivedMs[best] ? i : best), refusals[0])
  if (last === undefined) return null
  const next = record.sentMs.findIndex(
    (ms, i) => ms >= record.receivedMs[last] && history.outcome[i] === outcomes.admitted,
  )
  const since = record.receivedMs[last]
  const afterMs = next < 0 ? null : Math.round(record.sentMs[next] - since)
  const retryAfterMs = Number.isNaN(record.waitMs[last]) ? null : Math.round(record.waitMs[last])
  const resetAfterMs = Number.isNaN(record.reset[last])
    ? null
    : Math.round(record.reset[last] * 1000 - clock.to - since)
  return { afterMs, retryAfterMs, resetAfterMs, lateMs: latenessMs(record, history) }
}
