import type { ApiContract } from '../../contract/any/api-contract.js'
import { type Offset, offsetTrack } from '../clocks/offset-track.js'
import type { Chunk } from '../rows/chunk.js'
import { beatMs, coordinatorGoneMs, coordinatorSilentMs, readingEveryMs } from '../timing.js'
import { framed } from '../wire/frame.js'
import { type ClockReading, share as shareSchema, type ToAgent, type ToCoordinator } from '../wire/messages.js'
import { channelOfRun, queueOf } from '../wire/wire.js'
import type { AgentKey, AgentLoads, AgentSetup } from './agent-setup.js'
import { refusalOf } from './allowance.js'
import { createClockReader } from './clock-reader.js'
import { mostInASecond } from './most-in-a-second.js'
import { type BegunShare, begunShare, playShare } from './play-share.js'
import type { RateGuard } from './rate-guard.js'

/** An agent's part in one run. */
export interface Membership {
  readonly run: string
  /** Takes a message of the run's coordinator. */
  told(message: ToAgent): void
  /** Resolves, with the reason, when it is over; nothing is sent any more then. */
  readonly over: Promise<string>
  /** Ends it. */
  leave(why: string): void
}

export interface MembershipSetup extends AgentSetup {
  readonly run: string
  readonly runContract: ApiContract | undefined
  readonly keys: readonly AgentKey[]
  readonly loads: AgentLoads
  readonly mayLoadNow: boolean
  /** Requests that the agent has promised in all its runs. */
  readonly promised: { count: number }
  readonly guard: RateGuard | undefined
}

/** How long the loads under way are given to end when the agent leaves. */
const leaveWithinMs = 2_000

/** Joins a run: reads its clock, takes its shares, and stays until it is told to leave or hears nothing any more. */
export const joinRun = (setup: MembershipSetup): Membership => new JoinedRun(setup)

class JoinedRun implements Membership {
  readonly run: string
  readonly over: Promise<string>
  readonly #left = new AbortController()
  readonly #shares = new Map<string, BegunShare>()
  readonly #refused = new Map<string, { readonly why: string; readonly isMarked: boolean }>()
  readonly #readings: ClockReading[] = []
  readonly #reader
  readonly #plays = new Set<Promise<void>>()
  #sent = 0
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
        this.#again(message)
        return
      case 'done':
        this.#shares.delete(message.share)
        this.setup.journal.forget(message.share)
        return
      case 'leave':
        this.leave('the run is over')
    }
  }

  leave(why: string): void {
    this.#left.abort(why)
  }

  async #live(): Promise<string> {
    const { wire, instance, journal } = this.setup
    const { signal } = this.#left
    const queue = queueOf(this.run, instance)
    const watching = [this.#pulse(), this.#readOften()]
    const taking = await wire.take(queue, (given) => {
      const playing = this.#play(given).finally(() => this.#plays.delete(playing))
      this.#plays.add(playing)
      return playing
    })
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined)
      else signal.addEventListener('abort', resolve, { once: true })
    })
    for (const { stop } of this.#shares.values()) stop.abort()
    await Promise.allSettled(watching)
    // What was sent is told before it leaves.
    await Promise.race([Promise.allSettled(this.#plays), this.setup.clock.sleep(leaveWithinMs)])
    await taking.close()
    await wire.clear(queue).catch(() => {})
    for (const share of this.#shares.keys()) journal.forget(share)
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
      if (silentMs > coordinatorSilentMs) for (const { stop } of this.#shares.values()) stop.abort()
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

  #offset(): Offset | undefined {
    return offsetTrack(this.#readings.slice(-1))?.(this.setup.clock.monotonicMs())
  }

  #refuse(share: string, why: string, isMarked = false): void {
    this.#refused.set(share, { why, isMarked })
    this.#say({ type: 'refused', from: this.setup.instance, share, why, isMarked })
  }

  async #play(given: unknown): Promise<void> {
    const parsed = shareSchema.safeParse(given)
    const { clock, journal, instance, loads, guard, promised, say } = this.setup
    if (!parsed.success) {
      const named = shareSchema.pick({ id: true }).safeParse({ id: (given as { id?: unknown } | null)?.id })
      const [issue] = parsed.error.issues
      this.#refuse(named.data?.id ?? 'unnamed', `it can't be read: ${issue?.path.join('.')}: ${issue?.message}`)
      return
    }
    const share = parsed.data
    const offset = this.#offset()
    // One that comes a second time is under way, or over.
    if (this.#shares.has(share.id)) return
    const why = this.#refused.get(share.id)?.why ?? this.#whyNot(share, offset)
    if (why !== undefined || !offset) {
      this.#refuse(share.id, why ?? 'the agent does not know the time')
      return
    }
    const marks = journal.begin(share.id)
    if ('marked' in marks) {
      this.#refuse(share.id, `it was begun before: ${marks.marked} of its ${share.order.amount} slots are marked`, true)
      return
    }
    promised.count += share.order.amount
    const begun = begunShare(share, mostInASecond(share.order))
    this.#shares.set(share.id, begun)
    this.#say({ type: 'began', from: instance, share: share.id })
    say(`${share.order.id}: ${share.order.amount} requests`)
    const firstReading = Math.max(0, this.#readings.length - 1)
    const { outcome, rows } = await playShare(this.setup, {
      begun,
      marks,
      loads,
      beginAtMs: share.beginAtMs === null ? undefined : share.beginAtMs - offset.ms,
      sayChunks: (chunks) => this.#sayChunks(share.id, chunks),
      sending: () => {
        this.#sent += 1
        return guard?.(clock.monotonicMs()) !== true
      },
    })
    promised.count -= share.order.amount - rows
    begun.perSecond = 0
    await this.#readClock()
    begun.over = {
      type: 'over',
      from: instance,
      share: share.id,
      chunks: begun.rows.count(),
      rows,
      readings: this.#readings.slice(firstReading),
      outcome,
    }
    this.#say(begun.over)
    say(`${share.order.id}: ${rows} sent${outcome.problem === null ? '' : `; ${outcome.problem}`}`)
  }

  #whyNot(share: Parameters<typeof refusalOf>[0], offset: Offset | undefined): string | undefined {
    const { clock, promised, runContract, keys, mayLoadNow } = this.setup
    const silentMs = clock.monotonicMs() - this.#heardMs
    if (silentMs > coordinatorSilentMs) return 'the agent hears nothing of its coordinator'
    return refusalOf(
      share,
      { ...this.setup, mayLoad: mayLoadNow, keys: keys.map(({ name }) => name) },
      {
        run: this.run,
        contract: runContract,
        promised: promised.count,
        perSecond: [...this.#shares.values()].reduce((sum, { perSecond }) => sum + perSecond, 0),
        coordinatorMs: clock.monotonicMs() + (offset ? offset.ms - offset.errorMs : 0),
      },
    )
  }

  #stop(share: string, inOrder: boolean): void {
    const begun = this.#shares.get(share)
    if (!begun) {
      // It may still be on its way: it is not begun any more.
      this.#refused.set(share, { why: 'it was called off before it began', isMarked: false })
      return
    }
    begun.inOrder = inOrder
    begun.stop.abort()
  }

  #again({ share, chunks }: Extract<ToAgent, { type: 'again' }>): void {
    const begun = this.#shares.get(share)
    if (!begun) {
      const refused = this.#refused.get(share)
      if (refused) this.#say({ type: 'refused', from: this.setup.instance, share, ...refused })
      return
    }
    this.#say({ type: 'began', from: this.setup.instance, share })
    this.#sayChunks(
      share,
      chunks.flatMap((number) => begun.rows.chunk(number) ?? []),
    )
    if (begun.over) this.#say(begun.over)
  }

  #sayChunks(share: string, chunks: readonly Chunk[]): void {
    for (const { number, crc, bytes } of chunks)
      this.#say({ type: 'chunk', from: this.setup.instance, share, number, crc }, bytes)
  }

  #say(message: ToCoordinator, bytes?: Uint8Array): void {
    this.setup.wire.say(channelOfRun(this.run), framed(message, bytes))
  }
}
