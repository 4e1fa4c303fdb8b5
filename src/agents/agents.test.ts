import { describe, expect, it } from 'vitest'
import { ledgerFlags } from '../evidence/ledger.js'
import type { Clock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import { type LoadOrder, type LoadPart, NobodyToSend } from '../load/load-order.js'
import { startAgent } from './agent/agent.js'
import type { AgentSetup } from './agent/agent-setup.js'
import type { SlotJournal } from './agent/slot-journal.js'
import { AgentsMissing } from './coordinator/agents-missing.js'
import { type Fleet, gatherFleet } from './coordinator/fleet.js'
import { parseWanted } from './coordinator/wanted.js'
import { memoryWire } from './testing/memory-wire.js'
import { agentSetup, type Hit, simulatedLoads, untoldFlags } from './testing/simulated-agent.js'
import { shiftedClock, virtualClock } from './testing/virtual-clock.js'

const order: LoadOrder = {
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
const random = seededRandom(7)

const spread: LoadOrder = { ...order, id: 'spread-free', isSpread: true }

interface Started {
  readonly part?: Partial<AgentSetup>
  readonly aheadMs?: (nowMs: number) => number
}

/** A world of one coordinator and some agents, on one clock that only the test moves. */
const world = (agents: Readonly<Record<string, Started>> = { 'eu-1': {}, 'eu-2': {} }) => {
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
  /** Takes a process away: nothing it says arrives, and nothing it does happens any more. */
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

const statusesOf = ({ result }: LoadPart) => [...result.rows.status]

describe('agents that a run waits for', () => {
  it('are there once all have joined', async () => {
    const { startAll, gather } = world({ 'eu-1': {}, 'eu-2': {}, 'us-1': {} })
    await startAll()
    const { members } = await gather('eu=2,us=1')
    expect(members.map(({ card, group }) => [card.name, group])).toEqual([
      ['eu-1', 'eu'],
      ['eu-2', 'eu'],
      ['us-1', 'us'],
    ])
  })

  it.each<[string, Record<string, Started>, RegExp]>([
    ['nobody answers', {}, /2 of eu were asked for, and none is ready/],
    ['one is missing', { 'eu-1': {} }, /2 of eu were asked for, and only eu-1 is/],
    [
      'one was started for another target',
      { 'eu-1': {}, 'eu-2': { part: { runsOn: 'http://other/v1' } } },
      /only eu-1 is; eu-2: it was started for http:\/\/other\/v1, and this run is against http:\/\/target\/v1/,
    ],
    [
      'one has another key',
      { 'eu-1': {}, 'eu-2': { part: { keysFor: () => [{ name: 'free', secret: 'x', mark: 9 }] } } },
      /eu-2: its free key is another one than the run's/,
    ],
    [
      'one lacks a key',
      { 'eu-1': {}, 'eu-2': { part: { keysFor: () => [{ name: 'free', secret: 'x', mark: 1 }] } } },
      /eu-2: it has no pro key/,
    ],
    ['two have one name', { 'eu-1': {}, 'eu-1-twin': { part: { name: 'eu-1', instance: 'twin' } } }, /only eu-1 is/],
  ])('are named where %s', async (_, agents, message) => {
    const { startAll, gather } = world(agents)
    await startAll()
    const error = await gather('eu=2').catch((each: unknown) => each)
    expect(error).toBeInstanceOf(AgentsMissing)
    expect((error as Error).message).toMatch(message)
  })
})

describe('a load that agents send', () => {
  it('goes to one agent, whose times are on the run’s clock to within what is told', async () => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': { aheadMs: () => 987_654.3 } })
    await startAll()
    const fleet = await gather('eu=1')
    const [part] = await clock.passUntil(play(fleet, order, 500))
    expect(part.result).toMatchObject({ planned: 60, sent: 60, answered: 60, end: 'complete', problem: null })
    expect(part.origin).toMatchObject({ agent: 'eu-1', group: 'eu', isClockKept: true })
    const errorMs = part.origin?.clockErrorMs ?? Number.NaN
    expect(errorMs).toBeLessThan(1.2)
    for (const [i, { atMs }] of hits.entries())
      expect(Math.abs(part.result.rows.sentUs[i] / 1000 + 500 - atMs)).toBeLessThanOrEqual(errorMs)
  })

  it('of one key stays on one agent, and those of several go round', async () => {
    const { startAll, gather, play, clock } = world()
    await startAll()
    const fleet = await gather('eu=2')
    const generate = fleet.generator(0)
    const watch = { signal: new AbortController().signal }
    const agents: (string | undefined)[] = []
    for (const key of ['free', 'pro', 'free', 'pro']) {
      const [part] = await clock.passUntil(generate({ ...order, key }, watch))
      agents.push(part.origin?.agent)
    }
    expect(agents).toEqual(['eu-1', 'eu-2', 'eu-1', 'eu-2'])
    expect(play).toBeDefined()
  })

  it('that all share is sent by all from one moment on, each slot once', async () => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': {}, 'eu-2': { aheadMs: () => 50 }, 'eu-3': { aheadMs: (now) => now * 1e-4 } }) // biome-ignore format: one row
    await startAll()
    const fleet = await gather('eu=3')
    const parts = await clock.passUntil(play(fleet, spread))
    expect(parts.map(({ result }) => result.sent)).toEqual([20, 20, 20])
    const sent = hits.map(({ atMs }) => atMs).sort((a, b) => a - b)
    const gaps = sent.slice(1).map((at, i) => at - sent[i])
    expect(Math.max(...gaps)).toBeLessThan(50 + 2.5)
    expect(Math.min(...gaps)).toBeGreaterThan(50 - 2.5)
  })

  it.each<
    [
      string,
      (message: { readonly type: string; readonly [name: string]: unknown }) => { copies?: number; delayMs?: number },
    ]
  >([
    ['its chunks come twice', ({ type }) => (type === 'chunk' ? { copies: 2 } : {})],
    [
      'every other message is late',
      ({ type, number }) => (type === 'chunk' && Number(number) % 2 === 0 ? { delayMs: 1_700 } : {}),
    ],
    ['a third of all messages is lost', () => (random.float() < 1 / 3 ? { copies: 0 } : {})],
  ])('is whole where %s', async (_, fate) => {
    const { startAll, gather, play, clock, wire, hits } = world()
    await startAll()
    const fleet = await gather('eu=2')
    wire.fate = fate
    const [part] = await clock.passUntil(play(fleet, order))
    expect(statusesOf(part)).toEqual(Array(60).fill(200))
    expect(part.result.problem).toBeNull()
    expect(hits).toHaveLength(60)
  })

  it('has an unknown row for all that a lost chunk may have told of', async () => {
    const { startAll, gather, play, clock, wire } = world()
    await startAll()
    const fleet = await gather('eu=2')
    wire.fate = ({ type, number }) => (type === 'chunk' && number === 1 ? { copies: 0 } : {})
    const [part] = await clock.passUntil(play(fleet, order))
    const { rows, problem, sent } = part.result
    expect(sent).toBe(60)
    const unknown = [...rows.flags].filter((flags) => (flags & ledgerFlags.untold) !== 0)
    expect(unknown.length).toBeGreaterThan(10)
    expect(problem).toMatch(/^eu-1: .*nobody knows what came of them/)
    expect([...rows.sentUs]).toEqual([...rows.sentUs].sort((a, b) => a - b))
  })

  it('has its rest unknown where its agent is killed, and the next one goes to another agent', async () => {
    const { startAll, gather, play, clock, kill, hits } = world()
    await startAll()
    const fleet = await gather('eu=2')
    const playing = play(fleet, order)
    await clock.pass(1_500)
    kill('eu-1')
    const sentBefore = hits.length
    const [part] = await clock.passUntil(playing)
    const { rows, sent, problem } = part.result
    expect(hits).toHaveLength(sentBefore)
    expect(sent).toBe(60)
    expect(problem).toMatch(/eu-1: the agent was not heard for 6 s; of \d+ requests nobody knows/)
    // Whatever was told for certain was sent, and whatever was sent is in the record, as known or as unknown.
    const known = [...rows.status].filter((status) => status === 200).length
    expect(known).toBeGreaterThan(0)
    expect(known).toBeLessThanOrEqual(sentBefore)
    expect(rows.flags[59]).toBe(untoldFlags)
    expect(rows.sentUs[59]).toBeLessThanOrEqual(hits[sentBefore - 1].atMs * 1000)
    const [next] = await clock.passUntil(play(fleet, { ...order, id: 'split-free' }))
    expect(next.origin?.agent).toBe('eu-2')
    expect(next.result).toMatchObject({ answered: 60, problem: null })
    kill('eu-2')
    await clock.pass(7_000)
    await expect(clock.passUntil(play(fleet, order))).rejects.toBeInstanceOf(NobodyToSend)
  })

  it('ends on all agents within two seconds when it is called off', async () => {
    const { startAll, gather, play, clock, hits, abort } = world()
    await startAll()
    const fleet = await gather('eu=2')
    const playing = play(fleet, { ...spread, amount: 400 })
    await clock.pass(2_000)
    abort.abort()
    const calledOffMs = clock.monotonicMs()
    const parts = await clock.passUntil(playing)
    expect(clock.monotonicMs() - calledOffMs).toBeLessThan(2_000)
    expect(Math.max(...hits.map(({ atMs }) => atMs)) - calledOffMs).toBeLessThan(100)
    expect(parts.map(({ result }) => result.end)).toEqual(['aborted', 'aborted'])
    expect(parts.reduce((sum, { result }) => sum + result.sent, 0)).toBe(hits.length)
  })

  it('ends by itself where its coordinator is gone, and is told later where that comes back', async () => {
    const { startAll, gather, play, clock, hits, wire } = world()
    await startAll()
    const fleet = await gather('eu=2')
    const playing = play(fleet, { ...order, amount: 400 })
    await clock.pass(2_000)
    const cutMs = clock.monotonicMs()
    wire.cut(true)
    await clock.pass(5_000)
    expect(Math.max(...hits.map(({ atMs }) => atMs)) - cutMs).toBeLessThan(3_600)
    wire.cut(false)
    const [part] = await clock.passUntil(playing)
    expect(part.result).toMatchObject({ sent: hits.length, answered: hits.length, end: 'aborted' })
    expect(part.result.problem).toBe('eu-1: it was called off')
  })

  it('is given up, with all that may have been sent, where Redis stays away, and at once where the run is ended', async () => {
    const { startAll, gather, play, clock, hits, wire, abort } = world()
    await startAll()
    const fleet = await gather('eu=2')
    const playing = play(fleet, { ...order, amount: 400 })
    await clock.pass(2_000)
    wire.cut(true)
    const [part] = await clock.passUntil(playing)
    expect(part.result.sent).toBe(400)
    expect(hits.length).toBeLessThan(150)
    expect(part.result.problem).toMatch(/Redis was out of reach for a minute; of \d+ requests nobody knows/)
    wire.cut(false)
    const other = world()
    await other.startAll()
    const playingOther = other.play(await other.gather('eu=2'), { ...order, amount: 400 })
    await other.clock.pass(1_000)
    other.wire.cut(true)
    other.abort.abort()
    const calledOffMs = other.clock.monotonicMs()
    await other.clock.passUntil(playingOther)
    expect(other.clock.monotonicMs() - calledOffMs).toBeLessThan(4_000)
    expect(abort.signal.aborted).toBe(false)
  })

  it('goes to agents that were not heard while the coordinator itself stood still', async () => {
    const { startAll, gather, play, clock } = world()
    await startAll()
    const fleet = await gather('eu=2')
    clock.skip(20_000)
    await clock.pass(1_000)
    const [part] = await clock.passUntil(play(fleet, order))
    expect(part.result).toMatchObject({ sent: 60, answered: 60, problem: null })
  })

  it('that could not be handed out is not begun later', async () => {
    const { startAll, gather, play, clock, hits, wire } = world()
    await startAll()
    const fleet = await gather('eu=2')
    wire.cut(true)
    const playing = play(fleet, order)
    await clock.pass(2_000)
    wire.cut(false)
    const [part] = await clock.passUntil(playing)
    expect(hits).toHaveLength(0)
    expect(part.result).toMatchObject({ sent: 0, planned: 60 })
    expect(part.result.problem).toBe('eu-1 did not send it: it was called off before it began')
  })
})

/** A disk on which a share can't be begun, or only so many slots be marked. */
const fullDisk = (from: 'begin' | number): SlotJournal => ({
  begin() {
    if (from === 'begin') throw new Error('no space')
    let marked = 0
    return {
      mark() {
        marked += 1
        if (marked > from) throw new Error('no space')
      },
      close: () => {},
    }
  },
  forget: () => {},
})

describe('an agent refuses', () => {
  it.each<[string, Partial<AgentSetup>, RegExp]>([
    [
      'more than it may send',
      { mostRequests: 59 },
      /it is 60 requests, and of --most-requests 59 the agent has 59 left/,
    ],
    ['what it can’t mark on its disk', { journal: fullDisk('begin') }, /the agent can't mark what it sends: no space/],
    ['load, where it has no leave', { mayLoad: async () => false }, /the agent was started without --allow-load/],
  ])('%s, and says why', async (_, part, why) => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': { part } })
    await startAll()
    const fleet = await gather('eu=1')
    const [{ result }] = await clock.passUntil(play(fleet, order))
    expect(result.problem).toMatch(why)
    expect(result.sent).toBe(0)
    expect(hits).toHaveLength(0)
  })

  it.each<[string, (share: Record<string, unknown>) => unknown, RegExp]>([
    [
      'a share for another target',
      (share) => ({ ...share, target: 'http://victim/v1' }),
      /it is for http:\/\/victim\/v1, and the agent was started for/,
    ],
    ['a key that it has not', (share) => ({ ...share, order: { ...order, key: 'root' } }), /the agent has no root key/],
    [
      'what it can’t read',
      (share) => ({ ...share, order: { ...order, amount: 'all' } }),
      /it can't be read: order.amount/,
    ],
    ['what it does not know', (share) => ({ ...share, shell: 'rm -r /' }), /it can't be read/],
    ['a share of another run', (share) => ({ ...share, run: 'other' }), /it is of another run/],
    ['what comes too late', (share) => ({ ...share, notAfterMs: 0 }), /it came too late/],
    [
      'a request that its contract has not',
      (share) => ({ ...share, order: { ...order, request: 'orders' } }),
      /has no probe orders/,
    ],
  ])('%s', async (_, forged, why) => {
    const { startAll, gather, clock, hits, wire } = world({ 'eu-1': {} })
    await startAll()
    await gather('eu=1')
    const told: unknown[] = []
    const other = wire.connect()
    await other.hear('run:run1', (bytes) => told.push(bytes.toString()))
    const share = { id: 'forged', run: 'run1', target: 'http://target/v1', order, beginAtMs: null, notAfterMs: 1e9 }
    await other.hand('shares-run1-eu-1-instance', forged(share) as never)
    await clock.pass(2_000)
    expect(told.filter((each) => String(each).includes('"refused"')).join()).toMatch(why)
    expect(hits).toHaveLength(0)
  })

  it('a share that comes a second time, whatever became of it', async () => {
    const { startAll, gather, clock, hits, wire, play } = world({ 'eu-1': {} })
    await startAll()
    const fleet = await gather('eu=1')
    // The coordinator has not heard yet that it is under way.
    wire.fate = ({ type }) => (type === 'began' || type === 'chunk' ? { copies: 0 } : {})
    const playing = play(fleet, order)
    await clock.pass(500)
    const share = { id: 's1', run: 'run1', target: 'http://target/v1', order, beginAtMs: null, notAfterMs: 1e9 }
    await wire.connect().hand('shares-run1-eu-1-instance', share as never)
    await clock.pass(100)
    wire.fate = () => ({})
    const [part] = await clock.passUntil(playing)
    expect(hits).toHaveLength(60)
    expect(part.result).toMatchObject({ sent: 60, problem: null })
  })
})

describe('the clock of an agent', () => {
  it('that jumps in the middle of a load is noticed, and its error has room for the jump', async () => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': { aheadMs: (now) => (now > 9_000 ? 50 : 0) } })
    await startAll()
    const fleet = await gather('eu=1')
    const [part] = await clock.passUntil(play(fleet, { ...order, amount: 300 }))
    expect(part.origin?.isClockKept).toBe(false)
    const errorMs = part.origin?.clockErrorMs ?? 0
    expect(errorMs).toBeGreaterThan(20)
    for (const [i, { atMs }] of hits.entries())
      expect(Math.abs(part.result.rows.sentUs[i] / 1000 - atMs)).toBeLessThanOrEqual(errorMs)
  })

  it('that drifts by 100 ppm is followed', async () => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': { aheadMs: (now) => now * 1e-4 } })
    await startAll()
    const fleet = await gather('eu=1')
    const [part] = await clock.passUntil(play(fleet, { ...order, amount: 1_000 }))
    expect(part.origin?.isClockKept).toBe(true)
    const errorMs = part.origin?.clockErrorMs ?? 0
    expect(errorMs).toBeLessThan(2)
    for (const [i, { atMs }] of hits.entries())
      expect(Math.abs(part.result.rows.sentUs[i] / 1000 - atMs)).toBeLessThanOrEqual(errorMs)
  })
})

describe('when a run is over', () => {
  it('its agents are free for the next one, and their queues are gone', async () => {
    const { startAll, gather, clock, wire } = world()
    await startAll()
    const fleet = await gather('eu=2')
    await clock.passUntil(fleet.dismiss())
    expect(wire.queues.size).toBe(0)
    expect((await gather('eu=2')).members).toHaveLength(2)
  })

  it('an agent that was started for one ends', async () => {
    const { start, gather, clock } = world({})
    const agent = await start('eu-1', { part: { once: true } })
    const fleet = await gather('eu=1')
    await clock.passUntil(fleet.dismiss())
    await clock.passUntil(agent.ended)
  })

  it('an agent whose coordinator vanished leaves after a minute', async () => {
    const { start, gather, clock, wire } = world({})
    const agent = await start('eu-1', { part: { once: true } })
    await gather('eu=1')
    wire.fate = ({ type }) => (type === 'beat' || type === 'pong' ? { copies: 0 } : {})
    await clock.pass(70_000)
    await clock.passUntil(agent.ended)
  })
})
