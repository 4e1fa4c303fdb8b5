import { aborted } from '../kit/deadline.js'
import { whyOf } from '../kit/usage-error.js'
import type { MembershipSetup } from './agent-setup.js'
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
import { BegunShare, playShare } from './play-share.js'
import type { Chunk } from './rows.js'
import type { SlotJournal, SlotMarks } from './slot-journal.js'

/** How often an agent reads the coordinator's clock while it takes part in a run. */
const readingEveryMs = 5_000

/** How long the loads under way are given to end when the agent leaves. */
const leaveWithinMs = 2_000

/** An agent that has heard nothing of its coordinator for so long ends its loads. */
const coordinatorSilentMs = 3_000

/** Why an agent does not play a share, as a sentence's end; undefined where it does. */
const refusalOf = (
  { order, target, run, notAfterMs }: Share,
  { run: own, means: { contract, keys }, runsOn, mayLoadNow, mostRequests, promised }: MembershipSetup,
  coordinatorMs: number,
): string | undefined => {
  if (run !== own) return 'it is of another run than the one that the agent takes part in'
  if (target !== runsOn) return `it is for ${target}, and the agent was started for ${runsOn}`
  if (!mayLoadNow) return 'load is to go to another machine, and the agent was started without --allow-load'
  if (keys.every(({ name }) => name !== order.key)) return `the agent has no ${order.key} key`
  if (order.request !== null && !Object.hasOwn(contract.requests, order.request))
    return `the contract has no request ${order.request}`
  if (coordinatorMs > notAfterMs) return 'it came too late'
  return mostRequests !== undefined && promised.count + order.amount > mostRequests
    ? `it is ${order.amount} requests, and of --most-requests ${mostRequests} the agent has ${mostRequests - promised.count} left`
    : undefined
}

/**
 * An agent's part in one run: it reads the run's clock, takes its shares, those that it plays and those that it refuses, and
 * stays until it is told to leave or hears nothing any more.
 */
export class Membership {
  readonly run: string
  /** Resolves, with the reason, when it is over; nothing is sent any more then. */
  readonly over: Promise<string>
  readonly #left = new AbortController()
  readonly #readings: ClockReading[] = []
  readonly #reader
  readonly #begun = new Map<string, BegunShare>()
  readonly #refused = new Map<string, { readonly why: string; readonly isMarked: boolean }>()
  readonly #plays = new Set<Promise<void>>()
  #sent = 0
  /** When the coordinator was last heard. */
  #heardMs: number

  constructor(readonly setup: MembershipSetup) {
    const { run, clock, instance } = setup
    this.run = run
    this.#heardMs = clock.monotonicMs()
    this.#reader = createClockReader(clock, (ping) => this.#say({ type: 'ping', from: instance, ping }))
    this.over = this.#live()
  }

  told(message: ToAgent): void {
    this.#heardMs = this.setup.clock.monotonicMs()
    switch (message.type) {
      case 'join':
        if (this.#readings.length > 0) this.#say({ type: 'joined', from: this.setup.instance })
        return
      case 'pong':
        this.#reader.answered(message.ping, message.atMs)
        return
      case 'beat':
        for (const each of message.stop) this.#stop(each.share, each.inOrder)
        return
      case 'again':
        this.#tellAgain(message)
        return
      case 'done':
        this.#forget(message.share)
        return
      case 'leave':
        this.leave('the run is over')
    }
  }

  leave(why: string): void {
    this.#left.abort(why)
  }

  async #live(): Promise<string> {
    const { wire, clock, instance } = this.setup
    const { signal } = this.#left
    const queue = queueOf(this.run, instance)
    const watching = [this.#pulse(), this.#readOften()]
    const taking = await wire.take(queue, (given) => {
      const playing = this.#play(given).finally(() => this.#plays.delete(playing))
      this.#plays.add(playing)
      return playing
    })
    await aborted(signal)
    this.#stopAll()
    await Promise.allSettled(watching)
    // What was sent is told before it leaves.
    await Promise.race([Promise.allSettled(this.#plays), clock.sleep(leaveWithinMs)])
    await taking.close()
    await wire.clear(queue).catch(() => {})
    for (const share of [...this.#begun.keys()]) this.#forget(share)
    this.#say({ type: 'left', from: instance, why: String(signal.reason) })
    return String(signal.reason)
  }

  /** Says that it is there, and watches that the coordinator is. */
  async #pulse(): Promise<void> {
    const { clock, instance } = this.setup
    const { signal } = this.#left
    while (!signal.aborted) {
      this.#say({ type: 'pulse', from: instance, sent: this.#sent })
      await clock.sleep(beatMs, signal).catch(() => {})
      const silentMs = clock.monotonicMs() - this.#heardMs
      if (silentMs > coordinatorSilentMs) this.#stopAll()
      if (silentMs > coordinatorGoneMs) this.leave('its coordinator is gone')
    }
  }

  async #readOften(): Promise<void> {
    const { clock } = this.setup
    const { signal } = this.#left
    while (!signal.aborted) {
      await this.#readClock()
      await clock.sleep(readingEveryMs, signal).catch(() => {})
    }
  }

  async #readClock(): Promise<void> {
    const { instance } = this.setup
    const reading = await this.#reader.read(this.#left.signal).catch(() => undefined)
    if (!reading) return
    this.#readings.push(reading)
    if (this.#readings.length === 1) this.#say({ type: 'joined', from: instance })
    this.#say({ type: 'clock', from: instance, reading })
  }

  #stop(share: string, inOrder: boolean): void {
    const begun = this.#begun.get(share)
    if (!begun) {
      // It may still be on its way: it is not begun any more.
      this.#refused.set(share, { why: 'it was cancelled before it began', isMarked: false })
      return
    }
    begun.inOrder = inOrder
    begun.stop.abort()
  }

  #stopAll(): void {
    for (const { stop } of this.#begun.values()) stop.abort()
  }

  /** Tells again what has come of a share. */
  #tellAgain({ share, chunks }: Extract<ToAgent, { type: 'again' }>): void {
    const from = this.setup.instance
    const begun = this.#begun.get(share)
    if (!begun) {
      const refused = this.#refused.get(share)
      if (refused) this.#say({ type: 'refused', from, share, ...refused })
      return
    }
    this.#say({ type: 'began', from, share })
    this.#sayChunks(
      share,
      chunks.flatMap((number) => begun.rows.chunk(number) ?? []),
    )
    if (begun.over) this.#say(begun.over)
  }

  /** The coordinator has all of a share. */
  #forget(share: string): void {
    this.#begun.delete(share)
    this.setup.journal.forget(share)
  }

  #refuse(share: string, why: string, isMarked = false): void {
    this.#refused.set(share, { why, isMarked })
    this.#say({ type: 'refused', from: this.setup.instance, share, why, isMarked })
  }

  /** Takes what came from the queue. Resolves when it was played, or refused. */
  async #play(given: unknown): Promise<void> {
    const parsed = shareSchema.safeParse(given)
    if (!parsed.success) {
      const named = shareSchema.pick({ id: true }).safeParse({ id: (given as { id?: unknown } | null)?.id })
      const [issue] = parsed.error.issues
      this.#refuse(named.data?.id ?? 'unnamed', `it can't be read: ${issue?.path.join('.')}: ${issue?.message}`)
      return
    }
    const share = parsed.data
    // One that comes a second time is under way, or over.
    if (this.#begun.has(share.id)) return
    const offset = offsetTrack(this.#readings.slice(-1))?.(this.setup.clock.monotonicMs())
    const why = this.#refused.get(share.id)?.why ?? this.#whyNot(share, offset)
    if (why !== undefined || !offset) {
      this.#refuse(share.id, why ?? 'the agent does not know the time')
      return
    }
    const marks = this.#mark(share)
    if (marks) await this.#playMarked(share, marks, offset)
  }

  async #playMarked(share: Share, marks: SlotMarks, offset: Offset): Promise<void> {
    const { promised, guard, clock, instance: from, loads, say } = this.setup
    const { id, order, beginAtMs } = share
    promised.count += order.amount
    const begun = new BegunShare(share)
    this.#begun.set(id, begun)
    this.#say({ type: 'began', from, share: id })
    say(`${order.id}: ${order.amount} requests`)
    const firstReading = Math.max(0, this.#readings.length - 1)
    const { outcome, rows } = await playShare(this.setup, {
      begun,
      marks,
      loads,
      beginAtMs: beginAtMs === null ? undefined : beginAtMs - offset.ms,
      sayChunks: (chunks) => this.#sayChunks(id, chunks),
      sending: () => {
        this.#sent += 1
        return guard?.(clock.monotonicMs()) !== true
      },
    })
    promised.count -= order.amount - rows
    await this.#readClock()
    const readings = this.#readings.slice(firstReading)
    begun.over = { type: 'over', from, share: id, chunks: begun.rows.count(), rows, readings, outcome }
    this.#say(begun.over)
    say(`${order.id}: ${rows} sent${outcome.problem === null ? '' : `; ${outcome.problem}`}`)
  }

  /** The marks of a share that nobody has begun; refuses it where somebody has, or none can be made. */
  #mark({ id, order }: Share): SlotMarks | undefined {
    let marks: ReturnType<SlotJournal['begin']>
    try {
      marks = this.setup.journal.begin(id)
    } catch (error) {
      this.#refuse(id, `the agent can't mark what it sends: ${whyOf(error)}`)
      return undefined
    }
    if (!('marked' in marks)) return marks
    this.#refuse(id, `it was begun before: ${marks.marked} of its ${order.amount} slots are marked`, true)
    return undefined
  }

  #whyNot(share: Share, offset: Offset | undefined): string | undefined {
    const now = this.setup.clock.monotonicMs()
    if (now - this.#heardMs > coordinatorSilentMs) return 'the agent no longer hears from its coordinator'
    // The earliest time that the coordinator's clock may show.
    return refusalOf(share, this.setup, now + (offset ? offset.ms - offset.errorMs : 0))
  }

  #sayChunks(share: string, chunks: readonly Chunk[]): void {
    for (const { number, crc, bytes } of chunks)
      this.#say({ type: 'chunk', from: this.setup.instance, share, number, crc }, bytes)
  }

  #say(message: ToCoordinator, bytes?: Uint8Array): void {
    this.setup.wire.say(channelOfRun(this.run), framed(message, bytes))
  }
}
