import type { ApiContract } from '../contract/api-contract.js'
import { UsageError } from '../kit/usage-error.js'
import { listInWords } from '../kit/words.js'
import { type Generator, NobodyToSend } from '../wire/load/load-order.js'
import {
  beatMs,
  type Card,
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
import { createShareDesk, createSharingOut, isThere, type Member, type ShareDeskSetup } from './share-desk.js'

/** How many agents of a group a run asks for: `eu=2` means two named `eu-…` or `eu`. */
interface Wanted {
  readonly group: string
  readonly count: number
}

/** More agents than this are a mistake. */
const most = 1_000

/** Reads `eu=2,us=2`. Throws a {@link UsageError} that says what to type instead. */
export const parseWanted = (text: string): Wanted[] => {
  const wanted = text.split(',').map((part): Wanted => {
    const match = /^\s*([\w.-]{1,60})=(\d{1,4})\s*$/.exec(part)
    const count = Number(match?.[2])
    if (!match || count < 1)
      throw new UsageError(`--agents ${text}: "${part}" is not NAME=COUNT; eu=2,us=2 asks for two agents each`)
    return { group: match[1], count }
  })
  const twice = wanted.find(({ group }, i) => wanted.findIndex((each) => each.group === group) !== i)
  if (twice) throw new UsageError(`--agents ${text}: ${twice.group} is given twice; give it once, with the sum of both`)
  if (wanted.reduce((sum, { count }) => sum + count, 0) > most)
    throw new UsageError(`--agents ${text}: a run can use at most ${most} agents`)
  return wanted
}

/** Whether an agent belongs to a group: `eu-1` and `eu` belong to `eu`. */
export const isOf = (name: string, group: string): boolean => name === group || name.startsWith(`${group}-`)

/** The agents that have answered so far, and those that take part. */
const createGathering = (wanted: readonly Wanted[], ofRun: string) => {
  const cards = new Map<string, Card>()
  const hasJoined = new Set<string>()
  const whyDeclined = new Map<string, string>()

  const whyNot = ({ from, version, runsOn, isBusy }: Card): string | undefined => {
    if (version !== protocolVersion)
      return `it speaks version ${version} of the protocol, and this run version ${protocolVersion}`
    if (runsOn !== ofRun) return `it was started for ${runsOn}, and this run is against ${ofRun}`
    return isBusy ? 'it takes part in another run' : whyDeclined.get(from)
  }

  /** The agents of a group that could take part, at most as many as wanted; of two with one name, the first. */
  const chosen = ({ group, count }: Wanted): Card[] => {
    const names = new Set<string>()
    const able = [...cards.values()].filter((card) => isOf(card.name, group) && whyNot(card) === undefined)
    // Agents that have joined stay.
    const sorted = able.sort((a, b) => Number(hasJoined.has(b.from)) - Number(hasJoined.has(a.from)))
    return sorted
      .filter(({ name }) => !names.has(name) && names.add(name))
      .slice(0, count)
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  }

  const ready = (each: Wanted): Card[] => chosen(each).filter(({ from }) => hasJoined.has(from))

  /** Chosen agents that have not joined yet. */
  const invited = (): Card[] => wanted.flatMap(chosen).filter(({ from }) => !hasJoined.has(from))

  return {
    meet: (card: Card) => void cards.set(card.from, card),
    joined: (instance: string) => void hasJoined.add(instance),
    declined: (instance: string, why: string) => void whyDeclined.set(instance, why),
    invited,
    met: (): string[] => [...new Set([...hasJoined, ...invited().map(({ from }) => from)])],
    isComplete: (): boolean => wanted.every((each) => ready(each).length === each.count),
    /** All agents that have joined, each with its group. */
    members: () => wanted.flatMap((each) => ready(each).map((card) => ({ card, group: each.group }))),
    missing(): string {
      const parts = wanted.flatMap((each) => {
        const names = ready(each).map(({ name }) => name)
        if (names.length === each.count) return []
        const there =
          names.length === 0 ? 'none is ready' : `only ${listInWords(names)} ${names.length > 1 ? 'are' : 'is'}`
        return [`${each.count} of ${each.group} ${each.count > 1 ? 'were' : 'was'} asked for, and ${there}`]
      })
      const reasons = [...cards.values()].flatMap((card) => {
        const why = whyNot(card)
        const isWanted = wanted.some(({ group }) => isOf(card.name, group))
        return why === undefined || !isWanted ? [] : [`${card.name}: ${why}`]
      })
      return [...parts, ...reasons].join('; ')
    },
  }
}

/** After this a silent agent is lost: by then, {@link coordinatorSilentMs}, one that is cut off has ended its loads. */
const agentSilentMs = 6_000

/** Agents are missing or can't take part, so the run does not begin. The message says which, and why. */
export class AgentsMissing extends Error {}

/** What a run tells its agents about itself, and what it asks for. */
interface FleetSetup extends Omit<ShareDeskSetup, 'tell'> {
  readonly wanted: readonly Wanted[]
  readonly withinMs: number
  readonly timeScale: number
  readonly contract: ApiContract | undefined
  /** A byte of a hash of each key, by name. */
  readonly marks: Readonly<Record<string, number>>
}

/** How often an agent that has not answered is asked again. */
const askEveryMs = 250

/** A beat this late shows that this process stalled. */
const stoodStillMs = 2_000

const leaveWithinMs = 1_500

/** Asks who is there, and makes the wanted agents join. Throws {@link AgentsMissing} if too few do in time. */
export const gatherFleet = async (setup: FleetSetup, signal: AbortSignal) => {
  const { wire, clock, run, wanted, withinMs, target, timeScale, contract, marks } = setup
  const tell = (instance: string, message: ToAgent) => wire.say(channelOfAgent(instance), framed(message))
  const gathering = createGathering(wanted, target)
  const desk = createShareDesk({ ...setup, tell: (member, message) => tell(member.card.from, message) })
  const ended = new AbortController()
  const left = new Set<string>()
  const readings = new Map<string, ClockReading[]>()
  let members: readonly Member[] = []
  let onState: (state: ReturnType<typeof stateOf>) => void = () => {}
  let beating: Promise<void> = Promise.resolve()

  const readingsOf = (instance: string): ClockReading[] => {
    const known = readings.get(instance) ?? []
    readings.set(instance, known)
    return known
  }

  const heard = (data: ToCoordinator, rest: Buffer, atMs: number): void => {
    if (data.type === 'card') gathering.meet(data)
    else if (data.type === 'joined') gathering.joined(data.from)
    else if (data.type === 'declined') gathering.declined(data.from, data.why)
    else if (data.type === 'left') left.add(data.from)
    else if (data.type === 'clock') readingsOf(data.from).push(data.reading)
    const member = members.find(({ card }) => card.from === data.from)
    if (!member) return
    member.heardMs = atMs
    if (data.type === 'left') member.lost ??= `the agent left: ${data.why}`
    else if (data.type === 'pulse') member.sent = data.sent
    else desk.heard(data, rest)
  }

  const hear = (bytes: Buffer): void => {
    const atMs = clock.monotonicMs()
    const frame = unframed(bytes)
    const parsed = toCoordinator.safeParse(frame?.message)
    if (!frame || !parsed.success) return
    const { data } = parsed
    // Handled first, because the agent can't tell any delay here from the time on the way.
    if (data.type === 'ping') tell(data.from, { type: 'pong', run, ping: data.ping, atMs })
    else heard(data, frame.rest, atMs)
  }

  const gather = async (): Promise<void> => {
    await wire.hear(channelOfRun(run), hear)
    const untilMs = clock.monotonicMs() + withinMs
    while (!gathering.isComplete()) {
      if (clock.monotonicMs() >= untilMs) throw new AgentsMissing(gathering.missing())
      const who: ToAgent = { type: 'who', run, version: protocolVersion }
      wire.say(everyone, framed(who))
      for (const { from } of gathering.invited())
        tell(from, { type: 'join', run, target, timeScale, contract, marks: { ...marks } })
      await clock.sleep(askEveryMs, signal)
    }
    const heardMs = clock.monotonicMs()
    members = gathering.members().map((each) => ({ ...each, readings: readingsOf(each.card.from), heardMs, sent: 0 }))
    beating = beat()
  }

  const lookFor = (member: Member, hearingSinceMs: number): void => {
    const silentMs = clock.monotonicMs() - Math.max(member.heardMs, hearingSinceMs)
    if (!isThere(member) || silentMs < agentSilentMs) return
    member.lost = `the agent was silent for ${agentSilentMs / 1000} s`
    tell(member.card.from, { type: 'leave', run })
  }

  /** Without a reading, the error of its clock is null, and so is what it was lost to while it takes part. */
  const stateOf = (member: Member) => {
    const reading = member.readings.at(-1)
    return {
      agent: member.card.name,
      sent: member.sent,
      loads: desk.loadsOf(member),
      clockErrorMs: reading ? (reading.toMs - reading.fromMs) / 2 : null,
      lost: member.lost ?? null,
    }
  }

  /** Says that the run goes on, and checks whether the agents are still there. */
  const beat = async (): Promise<void> => {
    let [lastMs, upMs] = [clock.monotonicMs(), clock.monotonicMs()]
    let hearingSinceMs = lastMs
    while (!ended.signal.aborted) {
      const now = clock.monotonicMs()
      // Messages that arrived during a stall have not been heard yet.
      if (now - lastMs > stoodStillMs) hearingSinceMs = now
      lastMs = now
      const upSinceMs = wire.upSinceMs()
      if (upSinceMs !== undefined) upMs = now
      for (const member of members) {
        if (isThere(member)) tell(member.card.from, { type: 'beat', run, stop: desk.stopped(member) })
        if (upSinceMs !== undefined) lookFor(member, Math.max(upSinceMs, hearingSinceMs))
        else if (now - upMs > coordinatorGoneMs) member.lost ??= 'Redis was unreachable for a minute'
        onState(stateOf(member))
      }
      await clock.sleep(beatMs, ended.signal).catch(() => {})
    }
  }

  /** Releases the agents, which end whatever they still send. */
  const dismiss = async (): Promise<void> => {
    ended.abort()
    await beating
    const instances = gathering.met()
    const untilMs = clock.monotonicMs() + leaveWithinMs
    for (;;) {
      const staying = instances.filter((each) => !left.has(each))
      if (staying.length === 0 || clock.monotonicMs() >= untilMs) break
      for (const each of staying) tell(each, { type: 'leave', run })
      await clock.sleep(beatMs / 5)
    }
    await Promise.all(instances.map((each) => wire.clear(queueOf(run, each)).catch(() => {})))
  }

  await gather().catch(async (error: unknown) => {
    await dismiss()
    throw error
  })
  return {
    members,
    /** Sends loads through the agents; rejects with {@link NobodyToSend} if none is left. */
    generator(startedAtMs: number): Generator {
      const shareOut = createSharingOut(members, Object.keys(marks).length)
      return async (order, watch) => {
        const parts = shareOut(order)
        if (parts.length === 0) throw new NobodyToSend(members.map(({ lost }) => lost).join('; '))
        return desk.play(parts, watch, startedAtMs)
      }
    },
    /** Calls periodically with the state of each agent, until the fleet is dismissed. */
    watch(call: typeof onState): void {
      onState = call
    },
    dismiss,
  }
}

export type Fleet = Awaited<ReturnType<typeof gatherFleet>>
