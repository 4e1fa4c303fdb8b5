import { countRows } from '../evidence/ledger.js'
import { scheduleErrorMs } from '../wire/load/latency.js'
import type { LoadPart } from '../wire/load/load-order.js'
import { offsetTrack } from './clocks.js'
import type { Card, ClockReading, Share, ShareEnd, ToCoordinator } from './messages.js'
import { type Chunk, createRowBook, rowsOnRunClock } from './rows.js'

/** An agent that takes part in the run, as the coordinator knows it. */
export interface Member {
  readonly card: Card
  /** What it was asked for as. */
  readonly group: string
  readonly readings: ClockReading[]
  /** When it was last heard, on the coordinator's clock. */
  heardMs: number
  /** Requests that it has sent in this run, as it says. */
  sent: number
  /** Why it takes no part any more; undefined while it does. */
  lost?: string
}

/** Whether an agent can be asked. */
export const isThere = ({ lost }: Member): boolean => lost === undefined

/**
 * A share that was handed to an agent, until all of it is here or is not to be expected any more.
 *
 * @param handedMs when it was handed out, on the coordinator's clock.
 */
export const openShare = (share: Share, member: Member, handedMs: number) => {
  const { order } = share
  const { name, target } = member.card
  const book = createRowBook(order.amount)
  let over: Extract<ToCoordinator, { type: 'over' }> | undefined
  let refused: string | undefined
  let gaveUp: string | undefined

  const problemOf = (outcome: ShareEnd | undefined, untold: number): string | null => {
    if (refused !== undefined) return `${name} did not send it: ${refused}`
    const mayBeSent = untold > 0 ? `; it is unknown whether ${untold} requests were sent, and what became of them` : ''
    if (!outcome) return `${name}: ${gaveUp ?? 'it reported no end'}${mayBeSent}`
    if (untold > 0) return `${name}: ${outcome.problem ?? gaveUp ?? 'rows are missing'}${mayBeSent}`
    return outcome.problem === null ? null : `${name}: ${outcome.problem}`
  }

  const open = {
    share,
    member,
    hasBegun: false,
    /** How it is to be stopped, once it is. */
    stop: undefined as { readonly inOrder: boolean } | undefined,
    /** Until when it is waited for, once it was stopped with the run. */
    stopByMs: undefined as number | undefined,
    /** When something new of it was last heard. */
    heardMs: handedMs,
    /** Grows with each thing that is heard of it for the first time. */
    progress: (): number => book.chunks() + Number(open.hasBegun) + Number(over !== undefined),
    takeChunk(chunk: Chunk): void {
      open.hasBegun = true
      book.take(chunk)
    },
    takeOver(told: NonNullable<typeof over>): void {
      open.hasBegun = true
      over = told
    },
    /** The agent does not play it. Where some of it is marked, it may have been sent by somebody. */
    refuse(why: string, isMarked: boolean): void {
      if (open.hasBegun) return
      if (isMarked) open.giveUp(why)
      else refused = why
    },
    /** Nothing more is expected of it. */
    giveUp(why: string): void {
      gaveUp ??= why
    },
    /** The chunks that are missing, as far as it is known. */
    missing: (): number[] => (over ? book.missing(over.chunks) : []),
    isSettled: (): boolean =>
      refused !== undefined || gaveUp !== undefined || (over !== undefined && open.missing().length === 0),
    /** What came of it, with times since the run's start: of all that may have been sent there is a row. */
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
