import type { KeyQuota } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { clockErrorOf, type Ledger, type LedgerRows, ledgerFlags } from '../../evidence/ledger.js'
import type { LimitHints, LoadOutcome } from '../../probes/probe.js'
import { type AnswerReading, numberOf } from '../../readings/limit-values.js'
import { momentErrorMs, type TargetClock } from '../../readings/target-clock.js'

/** Added to every wait: a request sent at the exact moment may arrive early, because both clocks round. */
const courtesyMs = 5

/** The latest that the target's clock lags behind, as machines normally keep time: without a Date nobody waits five minutes. */
const lagOf = (clock: TargetClock): number => (clock.likely ?? clock).from

/** What a response says about the limit, with its times on the run's clock. */
export const limitHintsOf = (x: Exchange, clock: TargetClock, read: (x: Exchange) => AnswerReading): LimitHints => {
  const { limit, remaining, reset, retryAfter } = read(x)
  const resetSeconds = numberOf(reset)
  const received = x.receivedAt ?? x.endedAt
  const seconds = retryAfter.form === 'seconds' || retryAfter.form === 'malformed' ? retryAfter.seconds : null
  const retryAt =
    retryAfter.form === 'date'
      ? Math.max(received, retryAfter.epochMs - lagOf(clock)) + courtesyMs
      : seconds === null
        ? undefined
        : received + seconds * 1000 + courtesyMs
  return {
    limit: numberOf(limit),
    remaining: numberOf(remaining),
    ...(resetSeconds !== undefined && {
      resetAt: resetSeconds * 1000 - lagOf(clock),
      backBy: resetSeconds * 1000 - lagOf(clock) + momentErrorMs(clock, resetSeconds),
    }),
    retryAt,
  }
}

/** The lowest Remaining of the day in the 200s of a load; undefined if none showed the day. */
export const dayShownIn = (rows: LedgerRows, { limit, longer }: KeyQuota): number | undefined => {
  if (limit === longer) return undefined
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rows.length; i += 1) {
    if (rows.status[i] === 200 && rows.limit[i] === longer && rows.remaining[i] < least) least = rows.remaining[i]
  }
  return Number.isFinite(least) ? least : undefined
}

/** How many responses of a load were 429, and the latest moment that a Retry-After names. */
export const refusalsIn = ({ head, rows }: Ledger, clock: TargetClock): Omit<LoadOutcome, 'ledger'> => {
  const errorMs = clockErrorOf(head)
  let refusals = 0
  let latest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < rows.length; i += 1) {
    if (rows.status[i] === 429) refusals += 1
    const isDate = (rows.flags[i] & ledgerFlags.retryAfterIsDate) !== 0
    const named = rows.retryAfter[i] * 1000
    const at = isDate ? named - lagOf(clock) : rows.receivedUs[i] / 1000 + errorMs + named
    if (rows.status[i] !== 0 && Number.isFinite(at)) latest = Math.max(latest, at + courtesyMs)
  }
  return { refusals, retryAt: latest === Number.NEGATIVE_INFINITY ? undefined : latest }
}
