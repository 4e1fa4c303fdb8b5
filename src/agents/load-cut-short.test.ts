import { describe, expect, it } from 'vitest'
import { NobodyToSend } from '../wire/load/load-order.js'
import { fullDisk, untoldFlags } from './testing/simulated-agent.js'
import { order, spread, world } from './testing/world.js'

describe('a load that agents send', () => {
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
    expect(problem).toMatch(/eu-1: the agent was silent for 6 s; it is unknown whether \d+ requests were sent/)
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
    expect(part.result.problem).toBe('eu-1: it was cancelled')
  })

  it('is given up, with all that may have been sent, where Redis stays away', async () => {
    const { startAll, gather, play, clock, hits, wire } = world()
    await startAll()
    const playing = play(await gather('eu=2'), { ...order, amount: 400 })
    await clock.pass(2_000)
    wire.cut(true)
    const [part] = await clock.passUntil(playing)
    expect(part.result.sent).toBe(400)
    expect(hits.length).toBeLessThan(150)
    expect(part.result.problem).toMatch(
      /Redis was unreachable for a minute; it is unknown whether \d+ requests were sent/,
    )
  })

  it('is given up within four seconds where Redis is away and the run is ended', async () => {
    const { startAll, gather, play, clock, wire, abort } = world()
    await startAll()
    const playing = play(await gather('eu=2'), { ...order, amount: 400 })
    await clock.pass(1_000)
    wire.cut(true)
    abort.abort()
    const calledOffMs = clock.monotonicMs()
    await clock.passUntil(playing)
    expect(clock.monotonicMs() - calledOffMs).toBeLessThan(4_000)
  })

  it('ends with the first request that its agent can’t mark on its disk, and does not send that', async () => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': { part: { journal: fullDisk(20) } } })
    await startAll()
    const [{ result }] = await clock.passUntil(play(await gather('eu=1'), order))
    expect(hits).toHaveLength(20)
    expect(result).toMatchObject({ sent: 21, answered: 20, end: 'aborted' })
    expect(result.problem).toBe('eu-1: it could not mark what it sends: no space')
  })

  it('ends where its agent stood still, and would make up for it at more than --most-per-second', async () => {
    const { startAll, gather, play, clock, hits } = world({ 'eu-1': { part: { mostPerSecond: 25 } } })
    await startAll()
    const playing = play(await gather('eu=1'), order)
    await clock.pass(500)
    clock.skip(2_000)
    const [{ result }] = await clock.passUntil(playing)
    expect(hits.length).toBeLessThan(60)
    expect(result.problem).toMatch(/^eu-1: it fell behind, and was ended/)
    const mostInASecond = hits.map(
      ({ atMs }) => hits.filter((each) => each.atMs >= atMs && each.atMs < atMs + 1_000).length,
    )
    expect(Math.max(...mostInASecond)).toBeLessThanOrEqual(25)
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
    expect(part.result.problem).toBe('eu-1 did not send it: it was cancelled before it began')
  })
})
