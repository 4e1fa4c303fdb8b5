import { describe, expect, it } from 'vitest'
import { petstore } from '../contract/petstore/petstore.js'
import type { RunMeans } from './agent-setup.js'
import { AgentsMissing } from './fleet.js'
import { type Started, world } from './testing/world.js'

const withKey = (key: RunMeans['keys'][number]) => ({ contract: petstore, keys: [key] })

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
      { 'eu-1': {}, 'eu-2': { part: { meansFor: () => withKey({ name: 'free', secret: 'x', mark: 9 }) } } },
      /eu-2: its free key differs from the run's/,
    ],
    [
      'one lacks a key',
      { 'eu-1': {}, 'eu-2': { part: { meansFor: () => withKey({ name: 'free', secret: 'x', mark: 1 }) } } },
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
