import { aborted } from '../kit/deadline.js'
import { whyOf } from '../kit/usage-error.js'
import type { AgentLoads, AgentSetup, RunMeans, SlotMarks } from './agent-setup.js'
import { createClockReader, type Offset, offsetTrack } from './clocks.js'
import {
  beatMs,
  type ClockReading,
  channelOfRun,
  coordinatorGoneMs,
  framed,
  queueOf,
  type Share,
  share as shareSchema,
  type ToAgent,
  type ToCoordinator,
} from './messages.js'
import { type BegunShare, beginShare, playShare } from './play-share.js'
import type { Chunk } from './rows.js'

/** How often an agent reads the coordinator's clock while it takes part in a run. */
const readingEveryMs = 5_000

/** How long running loads have to end when the agent leaves. */
const leaveWithinMs = 2_000

/** An agent that has heard nothing from its coordinator for this long ends its loads. */
const coordinatorSilentMs = 3_000

interface MembershipSetup extends AgentSetup {
  readonly run: string
  readonly means: RunMeans
  readonly loads: AgentLoads
  readonly mayLoadNow: boolean
  /** Requests that the agent has promised in all its runs. */
  readonly promised: { count: number }
  /** Called for each request; says whether the second up to it has more requests than allowed. */
  readonly guard: ((nowMs: number) => boolean) | undefined
}

/** Why an agent does not play a share, as the end of a sentence; undefined if it does. */
const refusalOf = (
  { order, target, run, notAfterMs }: Share,
  { run: own, means: { contract, keys }, runsOn, mayLoadNow, mostRequests, promised }: MembershipSetup,
  coordinatorMs: number,
): string | undefined => {
  if (run !== own) return 'it belongs to another run than the one that the agent takes part in'
  if (target !== runsOn) return `it is for ${target}, and the agent was started for ${runsOn}`
  if (!mayLoadNow) return 'its load would go to another machine, and the agent was started without --allow-load'
  if (keys.every(({ name }) => name !== order.key)) return `the agent has no ${order.key} key`
  if (order.request !== null && !Object.hasOwn(contract.requests, order.request))
    return `the contract has no request ${order.request}`
  if (coordinatorMs > notAfterMs) return 'it came too late'
  return mostRequests !== undefined && promised.count + order.amount > mostRequests
    ? `it has ${order.amount} requests, and the agent may send only ${mostRequests - promised.count} more (--most-requests ${mostRequests})`
    : undefined
}

/**
 * An agent's part in one run: it reads the run's clock, takes its shares, plays or refuses each, and stays until it is told
 * to leave or hears nothing more. `over` resolves, with the reason, when nothing more is sent.
 */
export const joinRun = (setup: MembershipSetup) => {
  const { run, clock, wire, instance: from, journal, promised, guard, loads, say } = setup
  const left = new AbortController()
  const { signal } = left
  const readings: ClockReading[] = []
  const begunShares = new Map<string, BegunShare>()
  const refused = new Map<string, { readonly why: string; readonly isMarked: boolean }>()
  const plays = new Set<Promise<void>>()
  let sent = 0
  let heardMs = clock.monotonicMs()

  const tell = (message: ToCoordinator, bytes?: Uint8Array) => wire.say(channelOfRun(run), framed(message, bytes))
  const reader = createClockReader(clock, (ping) => tell({ type: 'ping', from, ping }))
  const leave = (why: string) => left.abort(why)

  const readClock = async (): Promise<void> => {
    const reading = await reader.read(signal).catch(() => undefined)
    if (!reading) return
    readings.push(reading)
    if (readings.length === 1) tell({ type: 'joined', from })
    tell({ type: 'clock', from, reading })
  }

  const readOften = async (): Promise<void> => {
    while (!signal.aborted) {
      await readClock()
      await clock.sleep(readingEveryMs, signal).catch(() => {})
    }
  }

  const stopAll = () => {
    for (const { stop } of begunShares.values()) stop.abort()
  }

  const stop = (share: string, inOrder: boolean): void => {
    const begun = begunShares.get(share)
    if (!begun) {
      // The share may still arrive; then it is not begun.
      refused.set(share, { why: 'it was cancelled before it began', isMarked: false })
      return
    }
    begun.inOrder = inOrder
    begun.stop.abort()
  }

  /** Says that it is there, and checks that the coordinator is. */
  const pulse = async (): Promise<void> => {
    while (!signal.aborted) {
      tell({ type: 'pulse', from, sent })
      await clock.sleep(beatMs, signal).catch(() => {})
      const silentMs = clock.monotonicMs() - heardMs
      if (silentMs > coordinatorSilentMs) stopAll()
      if (silentMs > coordinatorGoneMs) leave('its coordinator is gone')
    }
  }

  const tellChunks = (share: string, chunks: readonly Chunk[]) => {
    for (const { number, crc, bytes } of chunks) tell({ type: 'chunk', from, share, number, crc }, bytes)
  }

  const tellAgain = ({ share, chunks }: Extract<ToAgent, { type: 'again' }>): void => {
    const begun = begunShares.get(share)
    if (!begun) {
      const why = refused.get(share)
      if (why) tell({ type: 'refused', from, share, ...why })
      return
    }
    tell({ type: 'began', from, share })
    const made = chunks.flatMap((number) => begun.rows.chunk(number) ?? [])
    tellChunks(share, made)
    if (begun.over) tell(begun.over)
  }

  /** Forgets a share, because the coordinator has all of it. */
  const forget = (share: string): void => {
    begunShares.delete(share)
    journal.forget(share)
  }

  const refuse = (share: string, why: string, isMarked = false): void => {
    refused.set(share, { why, isMarked })
    tell({ type: 'refused', from, share, why, isMarked })
  }

  /** The marks of a share that nobody has begun; refuses the share if somebody has, or if it can't be marked. */
  const marksOf = ({ id, order }: Share): SlotMarks | undefined => {
    try {
      const marks = journal.begin(id)
      if (!('marked' in marks)) return marks
      refuse(id, `it was begun before: ${marks.marked} of its ${order.amount} requests may have been sent`, true)
    } catch (error) {
      refuse(id, `the agent can't mark what it sends: ${whyOf(error)}`)
    }
    return undefined
  }

  const whyNot = (share: Share, offset: Offset | undefined): string | undefined => {
    const now = clock.monotonicMs()
    if (now - heardMs > coordinatorSilentMs) return 'the agent no longer hears from its coordinator'
    // The earliest time that the coordinator's clock can show now.
    return refusalOf(share, setup, now + (offset ? offset.ms - offset.errorMs : 0))
  }

  const playMarked = async (share: Share, marks: SlotMarks, offset: Offset): Promise<void> => {
    const { id, order, beginAtMs } = share
    promised.count += order.amount
    const begun = beginShare(share)
    begunShares.set(id, begun)
    tell({ type: 'began', from, share: id })
    say(`${order.id}: ${order.amount} requests`)
    const firstReading = Math.max(0, readings.length - 1)
    const { outcome, rows } = await playShare(setup, {
      begun,
      marks,
      loads,
      beginAtMs: beginAtMs === null ? undefined : beginAtMs - offset.ms,
      sayChunks: (chunks) => tellChunks(id, chunks),
      sending: () => {
        sent += 1
        return guard?.(clock.monotonicMs()) !== true
      },
    })
    promised.count -= order.amount - rows
    await readClock()
    const told = { chunks: begun.rows.count(), rows, readings: readings.slice(firstReading), outcome }
    begun.over = { type: 'over', from, share: id, ...told }
    tell(begun.over)
    say(`${order.id}: ${rows} sent${outcome.problem === null ? '' : `; ${outcome.problem}`}`)
  }

  /** Takes a share from the queue. Resolves when it was played or refused. */
  const play = async (given: unknown): Promise<void> => {
    const parsed = shareSchema.safeParse(given)
    if (!parsed.success) {
      const named = shareSchema.pick({ id: true }).safeParse({ id: (given as { id?: unknown } | null)?.id })
      const [issue] = parsed.error.issues
      refuse(named.data?.id ?? 'unnamed', `it can't be read: ${issue?.path.join('.')}: ${issue?.message}`)
      return
    }
    const share = parsed.data
    // A share that comes again is already being played, or over.
    if (begunShares.has(share.id)) return
    const offset = offsetTrack(readings.slice(-1))?.(clock.monotonicMs())
    const why = refused.get(share.id)?.why ?? whyNot(share, offset)
    if (why !== undefined || !offset) {
      refuse(share.id, why ?? 'the agent does not know the time')
      return
    }
    const marks = marksOf(share)
    if (marks) await playMarked(share, marks, offset)
  }

  const live = async (): Promise<string> => {
    const queue = queueOf(run, from)
    const watching = [pulse(), readOften()]
    const taking = await wire.take(queue, (given) => {
      const playing = play(given).finally(() => plays.delete(playing))
      plays.add(playing)
      return playing
    })
    await aborted(signal)
    stopAll()
    await Promise.allSettled(watching)
    // Reports everything that was sent before it leaves.
    await Promise.race([Promise.allSettled(plays), clock.sleep(leaveWithinMs)])
    await taking.close()
    await wire.clear(queue).catch(() => {})
    for (const share of [...begunShares.keys()]) forget(share)
    tell({ type: 'left', from, why: String(signal.reason) })
    return String(signal.reason)
  }

  return {
    run,
    leave,
    over: live(),
    told(message: ToAgent): void {
      heardMs = clock.monotonicMs()
      if (message.type === 'join' && readings.length > 0) tell({ type: 'joined', from })
      if (message.type === 'pong') reader.answered(message.ping, message.atMs)
      if (message.type === 'beat') for (const each of message.stop) stop(each.share, each.inOrder)
      if (message.type === 'again') tellAgain(message)
      if (message.type === 'done') forget(message.share)
      if (message.type === 'leave') leave('the run is over')
    },
  }
}
