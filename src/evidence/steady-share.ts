import { leastStillMs } from '../kit/clock.js'
import type { Ledger } from './ledger.js'

/** Statuses of answers that were served, and of those that a limiter or a ban gave. */
export const isAdmitted = (status: number): boolean => status >= 200 && status < 300
export const isRefused = (status: number): boolean => status === 429 || status === 403

/** What half of some answers took, in microseconds, and what it comes to at the least. */
export interface Middle {
  readonly count: number
  readonly us: number
  /** Without the time for which their machine stood still: where it did, nobody knows which of them that made longer. */
  readonly leastUs: number
}

/** What an answer took at the least. One that is shorter than any standstill that is seen was made no longer by one. */
const leastOf = (tookUs: number, stoodStillMs: number): number =>
  stoodStillMs < leastStillMs || tookUs < leastStillMs * 1000 ? tookUs : Math.max(0, tookUs - stoodStillMs * 1000)

const middle = (values: number[]): number => values.sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0

/** The middle of the answers of these loads whose status is meant. */
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

/** A share that may come out otherwise by more than this is not told. */
const mostOff = 0.1

/** How much the one takes of the other; null where what their machine lost could make that another share. */
export const steadyShare = (one: Middle, other: Middle): number | null => {
  const share = one.us / other.us
  const isSure = one.leastUs / other.us >= share * (1 - mostOff) && one.us / other.leastUs <= share * (1 + mostOff)
  return isSure ? share : null
}
