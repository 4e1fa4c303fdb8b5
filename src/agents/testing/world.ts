import type { Clock } from '../../kit/clock.js'
import type { LoadOrder } from '../../wire/load/load-order.js'
import { startAgent } from '../agent.js'
import type { AgentSetup } from '../agent-setup.js'
import { type Fleet, gatherFleet, parseWanted } from '../fleet.js'
import { memoryWire } from './memory-wire.js'
import { agentSetup, type Hit, simulatedLoads } from './simulated-agent.js'
import { shiftedClock, virtualClock } from './virtual-clock.js'

/** Sixty requests by one agent, twenty a second. */
export const order: LoadOrder = {
  id: 'burst-free',
  probe: 'burst',
  key: 'free',
  request: null,
  quota: null,
  connections: 4,
  amount: 60,
  schedule: { kind: 'constant', perSecond: 20 },
  stop: null,
  timeoutMs: 10_000,
  connectTimeoutMs: null,
  mostServerErrorPercent: 50,
  isSpread: false,
}

/** The same, split over all agents. */
export const spread: LoadOrder = { ...order, id: 'spread-free', isSpread: true }

/** An agent's setup, and how far its clock is ahead. */
export interface Started {
  readonly part?: Partial<AgentSetup>
  readonly aheadMs?: (nowMs: number) => number
}

/** One coordinator and some agents, on one clock that only the test moves. */
export const world = (agents: Readonly<Record<string, Started>> = { 'eu-1': {}, 'eu-2': {} }) => {
  const clock = virtualClock()
  const wire = memoryWire(clock)
  const hits: Hit[] = []
  const dead = new Set<string>()
  let shares = 0
  const start = async (name: string, { part = {}, aheadMs = () => 0 }: Started = {}) => {
    const own: Clock = shiftedClock(clock, aheadMs)
    const loads = simulatedLoads(clock, own, hits, () => dead.has(name))
    return startAgent(agentSetup({ name, wire: wire.connect(), clock: own, loadsFor: async () => loads, ...part }))
  }
  const gather = async (wanted: string, withinMs = 5_000): Promise<Fleet> => {
    const gathering = gatherFleet(
      {
        wire: wire.connect(),
        clock,
        run: 'run1',
        wanted: parseWanted(wanted),
        withinMs,
        target: 'http://target/v1',
        timeScale: 1,
        contract: undefined,
        marks: { free: 1, pro: 2 },
        nextId: () => `s${++shares}`,
      },
      new AbortController().signal,
    )
    return clock.passUntil(gathering)
  }
  const abort = new AbortController()
  const play = (fleet: Fleet, each: LoadOrder, startedAtMs = 0) =>
    fleet.generator(startedAtMs)(each, { signal: abort.signal, abortsInOrder: () => false })
  /** Kills a process: its messages no longer arrive, and it does nothing more. */
  const kill = (name: string) => {
    dead.add(name)
    const { fate } = wire
    wire.fate = (message, channel) =>
      message.from === `${name}-instance` || channel === `agent:${name}-instance`
        ? { copies: 0 }
        : fate(message, channel)
  }
  return {
    clock,
    wire,
    hits,
    start,
    gather,
    play,
    kill,
    abort,
    startAll: () => Promise.all(Object.entries(agents).map(([name, each]) => start(name, each))),
  }
}
