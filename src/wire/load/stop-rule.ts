import { z } from 'zod'
import type { LedgerRow } from '../../evidence/ledger.js'
import { changeWatch } from './change-watch.js'
import { dayLimits, daySeen, dayWatch } from './day-watch.js'

const status = z.int().min(100).max(599)

/**
 * When a load ends early, as data: after which answer nothing more is sent. So a load can be handed to another machine.
 */
export const stopRule = z.discriminatedUnion('kind', [
  /** With an answer of one of these statuses. */
  z.strictObject({ kind: z.literal('status'), is: z.array(status).min(1) }),
  /** With an answer of any other. */
  z.strictObject({ kind: z.literal('other-status'), than: z.array(status).min(1) }),
  /** With an answer that is no limiter's any more: another status, or a wait that was put off by so much. */
  z.strictObject({ kind: z.literal('change'), putOffMs: z.number().positive() }),
  /** When so many were answered 200, or with an answer that is neither 200 nor 429. */
  z.strictObject({ kind: z.literal('served'), times: z.int().min(0) }),
  /** When the day refuses; or earlier, where it shows so few left, or where so many more were refused. */
  z.strictObject({
    kind: z.literal('day'),
    limits: dayLimits,
    seen: daySeen,
    downTo: z.int().min(0).optional(),
    refusals: z.int().min(1).optional(),
  }),
])
export type StopRule = z.infer<typeof stopRule>

/** Is asked of each answered row in turn whether nothing more is to be sent. */
export type Stopper = (row: LedgerRow) => boolean

/** The rule at work, with its own memory of what it has seen. */
export const stopperOf = (rule: StopRule): Stopper => {
  switch (rule.kind) {
    case 'status':
      return (row) => rule.is.includes(row.status)
    case 'other-status':
      return (row) => !rule.than.includes(row.status)
    case 'change':
      return changeWatch(rule.putOffMs)
    case 'served':
      return servedTimes(rule.times)
    case 'day':
      return dayEnd(rule)
  }
}

const servedTimes = (times: number): Stopper => {
  let left = times
  return (row) => {
    if (row.status === 200) left -= 1
    return left <= 0 || (row.status !== 200 && row.status !== 429)
  }
}

const dayEnd = ({ limits, seen, downTo, refusals }: Extract<StopRule, { kind: 'day' }>): Stopper => {
  const watch = dayWatch(limits, seen)
  return (row) => {
    watch.saw(row)
    if (watch.isSpent() || (downTo !== undefined && watch.shownLeft() <= downTo)) return true
    return refusals !== undefined && watch.refused() - seen.refused >= refusals
  }
}
