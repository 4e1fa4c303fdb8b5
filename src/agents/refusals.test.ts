import { describe, expect, it } from 'vitest'
import type { AgentSetup } from './agent-setup.js'
import { fullDisk } from './testing/simulated-agent.js'
import { order, world } from './testing/world.js'

describe('an agent refuses', () => {
  it.each<[string, Partial<AgentSetup>, RegExp]>([
    [
      'more than it may send',
      { mostRequests: 59 },
      /it has 60 requests, and the agent may send only 59 more \(--most-requests 59\)/,
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
    ['a share of another run', (share) => ({ ...share, run: 'other' }), /it belongs to another run/],
    ['what comes too late', (share) => ({ ...share, notAfterMs: 0 }), /it came too late/],
    [
      'a request that its contract has not',
      (share) => ({ ...share, order: { ...order, request: 'orders' } }),
      /has no request orders/,
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
