import { countRows } from '../evidence/ledger.js'
import { scheduleErrorMs } from '../wire/load/latency.js'
import type { LoadPart } from '../wire/load/load-order.js'
import { offsetTrack } from './clocks.js'
import type { Card, ClockReading, Share, ShareEnd, ToCoordinator } from './messages.js'
import { type Chunk, createRowBook, rowsOnRunClock } from './rows.js'

/** An agent in the run, as the coordinator knows it. */
export interface Member {
  readonly card: Card
  /** The group that it was asked for. */
  readonly group: string
  readonly readings: ClockReading[]
  /** When it was last heard, on the coordinator's clock. */
  heardMs: number
  /** Requests that it has sent in this run, as it says. */
  sent: number
  /** Why it no longer takes part; undefined while it does. */
  lost?: string
}

export const isThere = ({ lost }: Member): boolean => lost === undefined

/** A share that was handed to an agent at `handedMs`, until all of it has arrived or nothing more is expected. */
export const openShare = (share: Share, member: Member, handedMs: number) => {
  const { order } = share
  const { name, target } = member.card
  const book = createRowBook(order.amount)
  let over: Extract<ToCoordinator, { type: 'over' }> | undefined
  let refused: string | undefined
  let gaveUp: string | undefined

  const problemOf = (outcome: ShareEnd | undefined, untold: number): string | null => {
    if (refused !== undefined) return `${name} did not send it: ${refused}`
    const mayBeSent = untold > 0 ? `; it is unknown whether ${untold} requests were sent, and how they ended` : ''
    if (!outcome) return `${name}: ${gaveUp ?? 'it reported no end'}${mayBeSent}`
    if (untold > 0) return `${name}: ${outcome.problem ?? gaveUp ?? 'rows are missing'}${mayBeSent}`
    return outcome.problem === null ? null : `${name}: ${outcome.problem}`
  }

  const open = {
    share,
    member,
    hasBegun: false,
    stop: undefined as { readonly inOrder: boolean } | undefined,
    /** How long to wait for it, once it was stopped with the run. */
    stopByMs: undefined as number | undefined,
    /** When news of it last arrived. */
    heardMs: handedMs,
    /** Grows with each new message about it; repeats don't count. */
    progress: (): number => book.chunks() + Number(open.hasBegun) + Number(over !== undefined),
    takeChunk(chunk: Chunk): void {
      open.hasBegun = true
      book.take(chunk)
    },
    takeOver(told: NonNullable<typeof over>): void {
      open.hasBegun = true
      over = told
    },
    /** The agent does not play it. If part of it is marked, some process may have sent that. */
    refuse(why: string, isMarked: boolean): void {
      if (open.hasBegun) return
      if (isMarked) open.giveUp(why)
      else refused = why
    },
    /** Stops expecting anything more of it. */
    giveUp(why: string): void {
      gaveUp ??= why
    },
    missing: (): number[] => (over ? book.missing(over.chunks) : []),
    isSettled: (): boolean =>
      refused !== undefined || gaveUp !== undefined || (over !== undefined && open.missing().length === 0),
    /** Its result, with times since the run's start; every request that may have been sent has a row. */
    part(startedAtMs: number): LoadPart {
      const readings = (over?.readings ?? member.readings).map(({ atMs, fromMs, toMs }) => ({
        atMs,
        fromMs: fromMs - startedAtMs,
        toMs: toMs - startedAtMs,
      }))
      const length = refused !== undefined ? 0 : (over?.rows ?? order.amount)
      const notBeforeUs = (handedMs - startedAtMs) * 1000
      const placed = rowsOnRunClock(book, { length, track: offsetTrack(readings), notBeforeUs })
      const { rows, clockErrorMs, isClockKept, untold } = placed
      const { outcome } = over ?? {}
      return {
        origin: { agent: name, group: member.group, target, clockErrorMs, isClockKept },
        stoodStillMs: outcome?.stoodStillMs ?? 0,
        result: {
          ...countRows(rows, order.amount),
          rows,
          samples: (outcome?.samples ?? []).filter(({ row }) => row < length),
          end: outcome?.end ?? 'aborted',
          problem: problemOf(outcome, untold),
          breaker: outcome?.breaker ?? null,
          connectFailures: outcome?.connectFailures ?? 0,
          scheduleErrorMs: scheduleErrorMs(rows),
        },
      }
    },
  }
  return open
}

export type OpenShare = ReturnType<typeof openShare>
