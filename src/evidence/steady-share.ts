import { leastStillMs } from '../kit/clock.js'
import type { Ledger } from './ledger.js'

/** Statuses of served answers, and of those from a limiter or a ban. */
export const isAdmitted = (status: number): boolean => status >= 200 && status < 300
export const isRefused = (status: number): boolean => status === 429 || status === 403

/** The median time of some answers, in microseconds, and its lower bound. */
export interface Middle {
  readonly count: number
  readonly us: number
  /** Without the time for which their machine stood still, since nobody knows which of them that made longer. */
  readonly leastUs: number
}

/** The least that an answer can have taken. An answer shorter than any visible standstill was not lengthened by one. */
const leastOf = (tookUs: number, stoodStillMs: number): number =>
  stoodStillMs < leastStillMs || tookUs < leastStillMs * 1000 ? tookUs : Math.max(0, tookUs - stoodStillMs * 1000)

const middle = (values: number[]): number => values.sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0

/** The median over the answers of these loads with a matching status. */
export const middleOf = (ledgers: readonly Ledger[], isMeant: (status: number) => boolean): Middle => {
  const [took, least]: [number[], number[]] = [[], []]
  for (const { head, rows } of ledgers) {
    rows.status.forEach((status, row) => {
      if (!isMeant(status)) return
      const us = rows.receivedUs[row] - rows.sentUs[row]
      took.push(us)
      least.push(leastOf(us, head.stoodStillMs))
    })
  }
  return { count: took.length, us: middle(took), leastUs: middle(least) }
}

/** A share that may be off by more than this is not reported. */
const mostOff = 0.1

/** The ratio of one to the other; null if the standstills of their machine could change it. */
export const steadyShare = (one: Middle, other: Middle): number | null => {
  const share = one.us / other.us
  const isSure = one.leastUs / other.us >= share * (1 - mostOff) && one.us / other.leastUs <= share * (1 + mostOff)
  return isSure ? share : null
}
