import { aborted } from '../kit/deadline.js'
import type { MembershipSetup } from './agent-setup.js'
import { createClockReader } from './clocks.js'
import { HeldShares } from './held-shares.js'
import {
  beatMs,
  type ClockReading,
  channelOfRun,
  coordinatorGoneMs,
  coordinatorSilentMs,
  framed,
  queueOf,
  readingEveryMs,
  type ToAgent,
  type ToCoordinator,
} from './messages.js'

/** How long the loads under way are given to end when the agent leaves. */
const leaveWithinMs = 2_000

/**
 * An agent's part in one run: it reads the run's clock, takes its shares, and stays until it is told to leave or hears
 * nothing any more.
 */
export class Membership {
  readonly run: string
  /** Resolves, with the reason, when it is over; nothing is sent any more then. */
  readonly over: Promise<string>
  readonly #left = new AbortController()
  readonly #readings: ClockReading[] = []
  readonly #reader
  readonly #shares: HeldShares
  #heardMs: number

  constructor(readonly setup: MembershipSetup) {
    const { run, clock, instance } = setup
    this.run = run
    this.#heardMs = clock.monotonicMs()
    this.#reader = createClockReader(clock, (ping) => this.#say({ type: 'ping', from: instance, ping }))
    this.#shares = new HeldShares({
      setup,
      say: (message, bytes) => this.#say(message, bytes),
      readings: this.#readings,
      readClock: () => this.#readClock(),
      heardMs: () => this.#heardMs,
    })
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
        for (const each of message.stop) this.#shares.stop(each.share, each.inOrder)
        return
      case 'again':
        this.#shares.tellAgain(message)
        return
      case 'done':
        this.#shares.forget(message.share)
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
    const taking = await wire.take(queue, (given) => this.#shares.take(given))
    await aborted(signal)
    this.#shares.stopAll()
    await Promise.allSettled(watching)
    // What was sent is told before it leaves.
    await Promise.race([this.#shares.settled(), clock.sleep(leaveWithinMs)])
    await taking.close()
    await wire.clear(queue).catch(() => {})
    this.#shares.forgetAll()
    this.#say({ type: 'left', from: instance, why: String(signal.reason) })
    return String(signal.reason)
  }

  /** Says that it is there, and watches that the coordinator is. */
  async #pulse(): Promise<void> {
    const { clock, instance } = this.setup
    const { signal } = this.#left
    while (!signal.aborted) {
      this.#say({ type: 'pulse', from: instance, sent: this.#shares.sent })
      await clock.sleep(beatMs, signal).catch(() => {})
      const silentMs = clock.monotonicMs() - this.#heardMs
      if (silentMs > coordinatorSilentMs) this.#shares.stopAll()
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

  #say(message: ToCoordinator, bytes?: Uint8Array): void {
    this.setup.wire.say(channelOfRun(this.run), framed(message, bytes))
  }
}
