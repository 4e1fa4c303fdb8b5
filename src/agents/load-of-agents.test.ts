import { describe, expect, it } from 'vitest'
import { ledgerFlags } from '../evidence/ledger.js'
import { seededRandom } from '../kit/random.js'
import type { LoadPart } from '../wire/load/load-order.js'
import type { MemoryWire } from './testing/memory-wire.js'
import { order, spread, world } from './testing/world.js'

const random = seededRandom(7)

const statusesOf = ({ result }: LoadPart) => [...result.rows.status]

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
    const { startAll, gather, clock } = world()
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
  })

  it('that all share is sent by all from one moment on, each slot once', async () => {
    const { startAll, gather, play, clock, hits } = world({
      'eu-1': {},
      'eu-2': { aheadMs: () => 50 },
      'eu-3': { aheadMs: (now) => now * 1e-4 },
    })
    await startAll()
    const fleet = await gather('eu=3')
    const parts = await clock.passUntil(play(fleet, spread))
    expect(parts.map(({ result }) => result.sent)).toEqual([20, 20, 20])
    const sent = hits.map(({ atMs }) => atMs).sort((a, b) => a - b)
    const gaps = sent.slice(1).map((at, i) => at - sent[i])
    expect(Math.max(...gaps)).toBeLessThan(50 + 2.5)
    expect(Math.min(...gaps)).toBeGreaterThan(50 - 2.5)
  })

  it.each<[string, MemoryWire['fate']]>([
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
    expect(problem).toMatch(/^eu-1: .*it is unknown whether \d+ requests were sent/)
    expect([...rows.sentUs]).toEqual([...rows.sentUs].sort((a, b) => a - b))
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
