import type { ApiContract } from '../contract/api-contract.js'
import { type Generator, NobodyToSend } from '../wire/load/load-order.js'
import { createGathering, type Wanted } from './gathering.js'
import {
  beatMs,
  type ClockReading,
  channelOfAgent,
  channelOfRun,
  coordinatorGoneMs,
  everyone,
  framed,
  protocolVersion,
  queueOf,
  type ToAgent,
  type ToCoordinator,
  toCoordinator,
  unframed,
} from './messages.js'
import { isThere, type Member } from './open-share.js'
import { createShareDesk, createSharingOut, type ShareDeskSetup } from './share-desk.js'

/**
 * An agent that was not heard for so long, while messages got through, is taken for lost. Longer than {@link
 * coordinatorSilentMs}: one that is cut off has ended its loads by then.
 */
const agentSilentMs = 6_000

/** Agents are missing, or can't take part: the run does not begin. The message says which, and why. */
export class AgentsMissing extends Error {}

/** What a run tells its agents of itself, and what it asks for. */
interface FleetSetup extends Omit<ShareDeskSetup, 'tell'> {
  readonly wanted: readonly Wanted[]
  /** How long the agents are waited for, in milliseconds. */
  readonly withinMs: number
  readonly timeScale: number
  readonly contract: ApiContract | undefined
  /** A byte of a hash of each key, by name. */
  readonly marks: Readonly<Record<string, number>>
}

interface AgentState {
  readonly agent: string
  readonly sent: number
  /** The loads that it is at, by their ledgers. */
  readonly loads: readonly string[]
  /** By how much its clock may be wrong, by its last reading; null before the first. */
  readonly clockErrorMs: number | null
  /** Why it takes no part any more; null while it does. */
  readonly lost: string | null
}

/** How often somebody who has not answered is asked again. */
const askEveryMs = 250

/** A beat that comes so much too late shows that this process stood still. */
const stoodStillMs = 2_000

const leaveWithinMs = 1_500

/** Asks who is there, and has as many join as are wanted. Throws {@link AgentsMissing} where they are too few in time. */
export const gatherFleet = async (setup: FleetSetup, signal: AbortSignal): Promise<Fleet> => {
  const fleet = new Fleet(setup)
  try {
    await fleet.gather(signal)
    return fleet
  } catch (error) {
    await fleet.dismiss()
    throw error
  }
}

/** The agents of a run. */
export class Fleet {
  members: readonly Member[] = []
  readonly #gathering
  readonly #desk
  readonly #ended = new AbortController()
  readonly #left = new Set<string>()
  readonly #readings = new Map<string, ClockReading[]>()
  #onState: (state: AgentState) => void = () => {}
  #beating: Promise<void> = Promise.resolve()

  constructor(readonly setup: FleetSetup) {
    this.#gathering = createGathering(setup.wanted, setup.target)
    this.#desk = createShareDesk({ ...setup, tell: (member, message) => this.#tell(member.card.from, message) })
  }

  async gather(signal: AbortSignal): Promise<void> {
    const { wire, clock, run, withinMs, target, timeScale, contract, marks } = this.setup
    await wire.hear(channelOfRun(run), (bytes) => this.#hear(bytes))
    const untilMs = clock.monotonicMs() + withinMs
    while (!this.#gathering.isComplete()) {
      if (clock.monotonicMs() >= untilMs) throw new AgentsMissing(this.#gathering.missing())
      const who: ToAgent = { type: 'who', run, version: protocolVersion }
      wire.say(everyone, framed(who))
      for (const { from } of this.#gathering.invited())
        this.#tell(from, { type: 'join', run, target, timeScale, contract, marks: { ...marks } })
      await clock.sleep(askEveryMs, signal)
    }
    const now = clock.monotonicMs()
    this.members = this.#gathering
      .members()
      .map((each) => ({ ...each, readings: this.#readingsOf(each.card.from), heardMs: now, sent: 0 }))
    this.#beating = this.#beat()
  }

  /** Puts loads on the target by way of the agents; rejects with {@link NobodyToSend} where none is left. */
  generator(startedAtMs: number): Generator {
    const shareOut = createSharingOut(this.members, Object.keys(this.setup.marks).length)
    return async (order, watch) => {
      const parts = shareOut(order)
      if (parts.length === 0) throw new NobodyToSend(this.members.map(({ lost }) => lost).join('; '))
      return this.#desk.play(parts, watch, startedAtMs)
    }
  }

  /** Calls with the state of each agent, again and again, until the fleet is dismissed. */
  watch(call: (state: AgentState) => void): void {
    this.#onState = call
  }

  /** Lets the agents go; whatever they still send is ended. */
  async dismiss(): Promise<void> {
    const { wire, clock, run } = this.setup
    this.#ended.abort()
    await this.#beating
    const instances = this.#gathering.met()
    const untilMs = clock.monotonicMs() + leaveWithinMs
    for (;;) {
      const staying = instances.filter((each) => !this.#left.has(each))
      if (staying.length === 0 || clock.monotonicMs() >= untilMs) break
      for (const each of staying) this.#tell(each, { type: 'leave', run })
      await clock.sleep(beatMs / 5)
    }
    await Promise.all(instances.map((each) => wire.clear(queueOf(run, each)).catch(() => {})))
  }

  /** Says that the run goes on, and looks whether the agents are still there. */
  async #beat(): Promise<void> {
    const { wire, clock, run } = this.setup
    const { signal } = this.#ended
    let [lastMs, upMs] = [clock.monotonicMs(), clock.monotonicMs()]
    let hearingSinceMs = lastMs
    while (!signal.aborted) {
      const now = clock.monotonicMs()
      // What came while this process stood still has yet to be heard.
      if (now - lastMs > stoodStillMs) hearingSinceMs = now
      lastMs = now
      const upSinceMs = wire.upSinceMs()
      if (upSinceMs !== undefined) upMs = now
      for (const member of this.members) {
        if (isThere(member)) this.#tell(member.card.from, { type: 'beat', run, stop: this.#desk.stopped(member) })
        if (upSinceMs !== undefined) this.#lookFor(member, Math.max(upSinceMs, hearingSinceMs))
        else if (now - upMs > coordinatorGoneMs) member.lost ??= 'Redis was unreachable for a minute'
        this.#tellState(member)
      }
      await clock.sleep(beatMs, signal).catch(() => {})
    }
  }

  #lookFor(member: Member, hearingSinceMs: number): void {
    const silentMs = this.setup.clock.monotonicMs() - Math.max(member.heardMs, hearingSinceMs)
    if (!isThere(member) || silentMs < agentSilentMs) return
    member.lost = `the agent was silent for ${agentSilentMs / 1000} s`
    this.#tell(member.card.from, { type: 'leave', run: this.setup.run })
  }

  #tellState(member: Member): void {
    const reading = member.readings.at(-1)
    this.#onState({
      agent: member.card.name,
      sent: member.sent,
      loads: this.#desk.loadsOf(member),
      clockErrorMs: reading ? (reading.toMs - reading.fromMs) / 2 : null,
      lost: member.lost ?? null,
    })
  }

  #readingsOf(instance: string): ClockReading[] {
    const known = this.#readings.get(instance) ?? []
    this.#readings.set(instance, known)
    return known
  }

  #tell(instance: string, message: ToAgent): void {
    this.setup.wire.say(channelOfAgent(instance), framed(message))
  }

  #hear(bytes: Buffer): void {
    const atMs = this.setup.clock.monotonicMs()
    const frame = unframed(bytes)
    const parsed = toCoordinator.safeParse(frame?.message)
    if (!frame || !parsed.success) return
    const { data } = parsed
    // First of all, for every moment that it takes is one that the agent cannot tell from the way.
    if (data.type === 'ping') {
      this.#tell(data.from, { type: 'pong', run: this.setup.run, ping: data.ping, atMs })
      return
    }
    this.#heard(data, frame.rest, atMs)
  }

  #heard(data: ToCoordinator, rest: Buffer, atMs: number): void {
    if (data.type === 'card') this.#gathering.meet(data)
    else if (data.type === 'joined') this.#gathering.joined(data.from)
    else if (data.type === 'declined') this.#gathering.declined(data.from, data.why)
    else if (data.type === 'left') this.#left.add(data.from)
    else if (data.type === 'clock') this.#readingsOf(data.from).push(data.reading)
    const member = this.members.find(({ card }) => card.from === data.from)
    if (!member) return
    member.heardMs = atMs
    if (data.type === 'left') member.lost ??= `the agent left: ${data.why}`
    else if (data.type === 'pulse') member.sent = data.sent
    else this.#desk.heard(data, rest)
  }
}
