import { countRows, type LedgerOrigin } from '../evidence/ledger.js'
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

/** A share that was handed to an agent, until all of it is here or is not to be expected any more. */
export class OpenShare {
  readonly #book
  #over: Extract<ToCoordinator, { type: 'over' }> | undefined
  #refused: string | undefined
  #gaveUp: string | undefined
  hasBegun = false
  /** How it is to be stopped, once it is. */
  stop: { readonly inOrder: boolean } | undefined
  /** Until when it is waited for, once it was stopped with the run. */
  stopByMs: number | undefined
  /** When something new of it was last heard. */
  heardMs: number

  /** @param handedMs when it was handed out, on the coordinator's clock. */
  constructor(
    readonly share: Share,
    readonly member: Member,
    readonly handedMs: number,
  ) {
    this.#book = createRowBook(share.order.amount)
    this.heardMs = handedMs
  }

  /** Grows with each thing that is heard of it for the first time. */
  progress(): number {
    return this.#book.chunks() + (this.hasBegun ? 1 : 0) + (this.#over ? 1 : 0)
  }

  takeChunk(chunk: Chunk): void {
    this.hasBegun = true
    this.#book.take(chunk)
  }

  takeOver(over: Extract<ToCoordinator, { type: 'over' }>): void {
    this.hasBegun = true
    this.#over = over
  }

  /** The agent does not play it. Where some of it is marked, it may have been sent by somebody. */
  refuse(why: string, isMarked: boolean): void {
    if (this.hasBegun) return
    if (isMarked) this.giveUp(why)
    else this.#refused = why
  }

  /** Nothing more is expected of it. */
  giveUp(why: string): void {
    this.#gaveUp ??= why
  }

  /** The chunks that are missing, as far as it is known. */
  missing(): number[] {
    return this.#over ? this.#book.missing(this.#over.chunks) : []
  }

  isSettled(): boolean {
    if (this.#refused !== undefined || this.#gaveUp !== undefined) return true
    return this.#over !== undefined && this.missing().length === 0
  }

  /** What came of it, with times since the run's start: of all that may have been sent there is a row. */
  part(startedAtMs: number): LoadPart {
    const { order } = this.share
    const { member } = this
    const readings = this.#over?.readings ?? member.readings
    const onRun = readings.map(({ atMs, fromMs, toMs }) => ({
      atMs,
      fromMs: fromMs - startedAtMs,
      toMs: toMs - startedAtMs,
    }))
    const length = this.#refused !== undefined ? 0 : (this.#over?.rows ?? order.amount)
    const notBeforeUs = (this.handedMs - startedAtMs) * 1000
    const placed = rowsOnRunClock(this.#book, { length, track: offsetTrack(onRun), notBeforeUs })
    const origin: LedgerOrigin = {
      agent: member.card.name,
      group: member.group,
      target: member.card.target,
      clockErrorMs: placed.clockErrorMs,
      isClockKept: placed.isClockKept,
    }
    const { outcome } = this.#over ?? {}
    return {
      origin,
      stoodStillMs: outcome?.stoodStillMs ?? 0,
      result: {
        ...countRows(placed.rows, order.amount),
        rows: placed.rows,
        samples: (outcome?.samples ?? []).filter(({ row }) => row < length),
        end: outcome?.end ?? 'aborted',
        problem: this.#problem(outcome, placed.untold),
        breaker: outcome?.breaker ?? null,
        connectFailures: outcome?.connectFailures ?? 0,
        scheduleErrorMs: scheduleErrorMs(placed.rows),
      },
    }
  }

  #problem(outcome: ShareEnd | undefined, untold: number): string | null {
    const { name } = this.member.card
    if (this.#refused !== undefined) return `${name} did not send it: ${this.#refused}`
    const mayBeSent = untold > 0 ? `; it is unknown whether ${untold} requests were sent, and what became of them` : ''
    if (!outcome) return `${name}: ${this.#gaveUp ?? 'it reported no end'}${mayBeSent}`
    if (untold > 0) return `${name}: ${outcome.problem ?? this.#gaveUp ?? 'rows are missing'}${mayBeSent}`
    return outcome.problem === null ? null : `${name}: ${outcome.problem}`
  }
}
