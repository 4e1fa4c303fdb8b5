import type { Clock } from '../kit/clock.js'
import type { LoadOrder, LoadPart, LoadWatch } from '../wire/load/load-order.js'
import { shareOf } from '../wire/load/schedule.js'
import { queueOf, type Share, type ToAgent, type ToCoordinator, type Wire } from './messages.js'
import { isThere, type Member, type OpenShare, openShare } from './open-share.js'

/** A share that was not begun so long after it was handed out is not begun any more. */
const beginWithinMs = 5_000

/** Time for a share to come to its agents and to make its connections, before all of them begin. */
const leadMs = 400

/** What one agent is to send of a load. */
interface Assignment {
  readonly member: Member
  readonly order: LoadOrder
}

/** The order at the pace that its agent was allowed, which the keys at work on it share. */
const atPaceOf = ({ card: { mostPerSecond } }: Member, order: LoadOrder, keys: number): LoadOrder =>
  mostPerSecond === null
    ? order
    : { ...order, schedule: { kind: 'slowed', of: order.schedule, perSecond: mostPerSecond / Math.max(1, keys) } }

/**
 * Shares a load out: all agents send every n-th slot of one schedule, so that their sums are exact. Of 10 requests over 4
 * agents the first sends the slots 0, 4 and 8.
 */
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

/** Says which agent sends what. A key's loads stay on one agent, so that its history has one clock. */
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

/** How often a share is looked at, and how often its agent is asked for what is missing, or for its end. */
const lookEveryMs = 50
const askEveryMs = 250
const askForEndEveryMs = 2_000

/** So long an agent that is there may take to answer about a share; and to end one that was stopped. */
const answerWithinMs = 5_000
const stopWithinMs = 3_000

/** The shares that are out, from the moment in which they are handed out until all of them is back. */
export const createShareDesk = ({ wire, clock, run, target, nextId, tell }: ShareDeskSetup) => {
  const shares = new Map<string, OpenShare>()
  const of = ({ card }: Member): OpenShare[] =>
    [...shares.values()].filter(({ member }) => member.card.from === card.from)

  /** The shares of an agent that are to end. */
  const stopped = (member: Member) =>
    of(member).flatMap(({ share, stop }) => (stop ? [{ share: share.id, ...stop }] : []))
  const tellToStop = ({ member }: OpenShare) => tell(member, { type: 'beat', run, stop: stopped(member) })

  const hand = async ({ order, member }: Assignment, isTogether: boolean): Promise<OpenShare> => {
    const now = clock.monotonicMs()
    const beginAtMs = isTogether ? now + leadMs : null
    const share: Share = { id: nextId(), run, target, order, beginAtMs, notAfterMs: now + beginWithinMs }
    const open = openShare(share, member, now)
    shares.set(share.id, open)
    // Where it may not have got there it is seen as any other: it is begun in time or not at all.
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

  /** Whether something of a share should have come by now. */
  const isAwaited = (open: OpenShare): boolean => open.stop !== undefined || isLate(open) || open.missing().length > 0

  const isOverdue = (open: OpenShare): boolean => {
    const now = clock.monotonicMs()
    if (open.stopByMs !== undefined) return now > open.stopByMs
    const upSinceMs = wire.upSinceMs()
    // While nothing gets through, nothing can be expected: whoever is cut off ends by itself.
    if (upSinceMs === undefined || !isAwaited(open)) return false
    return now > Math.max(open.heardMs, open.share.notAfterMs, upSinceMs) + answerWithinMs
  }

  const ask = (open: OpenShare): void => {
    // A share that was not begun in time is called off, so that its agent can say for certain that it is not begun.
    if (isLate(open)) open.stop ??= { inOrder: false }
    if (open.stop) tellToStop(open)
    tell(open.member, { type: 'again', run, share: open.share.id, chunks: open.missing() })
  }

  /** Waits until all of a share is here, or nothing more is to be expected. */
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
    /** Takes what an agent says of a share. */
    heard(message: ToCoordinator, bytes: Buffer): void {
      if (!('share' in message)) return
      const open = shares.get(message.share)
      if (!open || open.member.card.from !== message.from) return
      const before = open.progress()
      if (message.type === 'began') open.hasBegun = true
      else if (message.type === 'chunk') open.takeChunk({ number: message.number, crc: message.crc, bytes })
      else if (message.type === 'over') open.takeOver(message)
      else if (message.type === 'refused') open.refuse(message.why, message.isMarked)
      // What comes again and again is no sign that what is missing will come too.
      if (open.progress() > before) open.heardMs = clock.monotonicMs()
    },
    /** Has the parts of a load played, all from one moment on where they are several. */
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
