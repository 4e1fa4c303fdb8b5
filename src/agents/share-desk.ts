import { countRows } from '../evidence/ledger.js'
import type { Clock } from '../kit/clock.js'
import { scheduleErrorMs } from '../wire/load/latency.js'
import type { LoadOrder, LoadPart, LoadWatch } from '../wire/load/load-order.js'
import { shareOf } from '../wire/load/schedule.js'
import { offsetTrack } from './clocks.js'
import {
  type Card,
  type ClockReading,
  queueOf,
  type Share,
  type ShareEnd,
  type ToAgent,
  type ToCoordinator,
  type Wire,
} from './messages.js'
import { type Chunk, createRowBook, rowsOnRunClock } from './rows.js'

/** An agent in the run, as the coordinator knows it. */
export interface Member {
  readonly card: Card
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
const openShare = (share: Share, member: Member, handedMs: number) => {
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

type OpenShare = ReturnType<typeof openShare>

/** A share must begin within this time of being handed out, or not at all. */
const beginWithinMs = 5_000

/** Time for shares to reach their agents and open connections, before all of them begin. */
const leadMs = 400

interface Assignment {
  readonly member: Member
  readonly order: LoadOrder
}

/** The order, slowed to its agent's allowed rate, which the keys on that agent share. */
const atPaceOf = ({ card: { mostPerSecond } }: Member, order: LoadOrder, keys: number): LoadOrder =>
  mostPerSecond === null
    ? order
    : { ...order, schedule: { kind: 'slowed', of: order.schedule, perSecond: mostPerSecond / Math.max(1, keys) } }

/** Splits a load, with an exact sum: of 10 requests and 4 agents, the first sends the slots 0, 4 and 8. */
const spread = (order: LoadOrder, members: readonly Member[], keys: number): Assignment[] =>
  members.flatMap((member, nth) => {
    const of = members.length
    const amount = shareOf(order.amount, nth, of)
    if (amount === 0) return []
    const connections = Math.min(amount, Math.max(1, Math.ceil(order.connections / of)))
    const own: LoadOrder = {
      ...order,
      amount,
      connections,
      schedule: order.schedule && { kind: 'share', whole: order.schedule, nth, of },
    }
    return [{ member, order: atPaceOf(member, own, keys) }]
  })

/** Assigns loads to agents. A key's loads stay on one agent, so that its history has one clock. */
export const createSharingOut = (members: readonly Member[], keys: number) => {
  const placeOfKey = new Map<string, number>()
  return (order: LoadOrder): Assignment[] => {
    const there = members.filter(isThere)
    if (there.length === 0) return []
    if (order.isSpread) return spread(order, there, keys)
    const place = placeOfKey.get(order.key) ?? placeOfKey.size
    placeOfKey.set(order.key, place)
    const own = members[place % members.length]
    const member = isThere(own) ? own : there[place % there.length]
    return [{ member, order: atPaceOf(member, order, Math.ceil(keys / members.length)) }]
  }
}

export interface ShareDeskSetup {
  readonly wire: Wire
  readonly clock: Clock
  /** A name that nobody can guess. */
  readonly run: string
  readonly target: string
  readonly nextId: () => string
  readonly tell: (member: Member, message: ToAgent) => void
}

/** How often a share is checked, and how often its agent is asked for missing chunks or for its end. */
const lookEveryMs = 50
const askEveryMs = 250
const askForEndEveryMs = 2_000

/** How long an agent may take to answer about a share, and to end one that was stopped. */
const answerWithinMs = 5_000
const stopWithinMs = 3_000

/** The shares that were handed out and are not yet complete. */
export const createShareDesk = ({ wire, clock, run, target, nextId, tell }: ShareDeskSetup) => {
  const shares = new Map<string, OpenShare>()
  const of = ({ card }: Member): OpenShare[] =>
    [...shares.values()].filter(({ member }) => member.card.from === card.from)

  const stopped = (member: Member) =>
    of(member).flatMap(({ share, stop }) => (stop ? [{ share: share.id, ...stop }] : []))
  const tellToStop = ({ member }: OpenShare) => tell(member, { type: 'beat', run, stop: stopped(member) })

  const hand = async ({ order, member }: Assignment, isTogether: boolean): Promise<OpenShare> => {
    const now = clock.monotonicMs()
    const beginAtMs = isTogether ? now + leadMs : null
    const share: Share = { id: nextId(), run, target, order, beginAtMs, notAfterMs: now + beginWithinMs }
    const open = openShare(share, member, now)
    shares.set(share.id, open)
    // If it may not have arrived, it is treated like any other: it begins in time or not at all.
    await wire.hand(queueOf(run, member.card.from), share).catch(() => {})
    return open
  }

  const stop = (open: OpenShare, watch: LoadWatch): void => {
    const inOrder = watch.abortsInOrder?.() ?? false
    open.stop = { inOrder }
    open.stopByMs = clock.monotonicMs() + stopWithinMs + (inOrder ? 2 * open.share.order.timeoutMs : 0)
    tellToStop(open)
  }

  const isLate = ({ hasBegun, share }: OpenShare): boolean => !hasBegun && clock.monotonicMs() > share.notAfterMs

  /** Whether news of a share is due. */
  const isAwaited = (open: OpenShare): boolean => open.stop !== undefined || isLate(open) || open.missing().length > 0

  const isOverdue = (open: OpenShare): boolean => {
    const now = clock.monotonicMs()
    if (open.stopByMs !== undefined) return now > open.stopByMs
    const upSinceMs = wire.upSinceMs()
    // While nothing gets through, nothing can be expected: an agent that is cut off ends by itself.
    if (upSinceMs === undefined || !isAwaited(open)) return false
    return now > Math.max(open.heardMs, open.share.notAfterMs, upSinceMs) + answerWithinMs
  }

  const ask = (open: OpenShare): void => {
    // A late share is cancelled, so that its agent can confirm that it was not begun.
    if (isLate(open)) open.stop ??= { inOrder: false }
    if (open.stop) tellToStop(open)
    tell(open.member, { type: 'again', run, share: open.share.id, chunks: open.missing() })
  }

  /** Waits until all of a share has arrived, or nothing more is expected. */
  const settled = async (open: OpenShare): Promise<void> => {
    let askedMs = clock.monotonicMs()
    while (!open.isSettled()) {
      await clock.sleep(lookEveryMs)
      const everyMs = isAwaited(open) ? askEveryMs : askForEndEveryMs
      if (open.member.lost !== undefined) open.giveUp(open.member.lost)
      if (isOverdue(open)) open.giveUp('its results did not arrive in time')
      if (open.isSettled() || clock.monotonicMs() - askedMs < everyMs) continue
      askedMs = clock.monotonicMs()
      ask(open)
    }
  }

  return {
    stopped,
    loadsOf: (member: Member): string[] => of(member).map(({ share }) => share.order.id),
    heard(message: ToCoordinator, bytes: Buffer): void {
      if (!('share' in message)) return
      const open = shares.get(message.share)
      if (!open || open.member.card.from !== message.from) return
      const before = open.progress()
      if (message.type === 'began') open.hasBegun = true
      else if (message.type === 'chunk') open.takeChunk({ number: message.number, crc: message.crc, bytes })
      else if (message.type === 'over') open.takeOver(message)
      else if (message.type === 'refused') open.refuse(message.why, message.isMarked)
      // Repeated messages are no sign that the missing ones will come.
      if (open.progress() > before) open.heardMs = clock.monotonicMs()
    },
    /** Makes agents play the parts of a load; several parts begin at the same moment. */
    async play(parts: readonly Assignment[], watch: LoadWatch, startedAtMs: number): Promise<readonly LoadPart[]> {
      const handed = await Promise.all(parts.map((each) => hand(each, parts.length > 1)))
      const onAbort = () => {
        for (const each of handed) stop(each, watch)
      }
      if (watch.signal.aborted) onAbort()
      watch.signal.addEventListener('abort', onAbort, { once: true })
      await Promise.all(handed.map(settled)).finally(() => watch.signal.removeEventListener('abort', onAbort))
      for (const { share, member } of handed) {
        tell(member, { type: 'done', run, share: share.id })
        shares.delete(share.id)
      }
      return handed.map((each) => each.part(startedAtMs))
    },
  }
}
