import { Agent, get } from 'node:http'
import { expect, it } from 'vitest'
import { systemClock } from '../src/kit/clock.js'
import { type ScriptedArrival, startScriptedServer } from './scripted-server.js'

const ask = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${url}/inventory`, { agent, headers: { Authorization: 'Bearer key' } }, (response) => {
      response.resume().once('end', resolve)
    }).once('error', reject)
  })

it('a connection may be as old as the one accepted before it, unless there was none to accept in between', async () => {
  let lookedAtMs = -1_000
  const seen: ScriptedArrival[] = []
  const server = await startScriptedServer({
    script: { kind: 'answers', answers: [{ status: 200, times: 1, delayMs: 0, bare: true }] },
    key: 'key',
    clock: systemClock,
    input: { lookedAtMs: () => lookedAtMs, look: () => undefined, stop: () => undefined },
    onArrival: (arrival) => seen.push(arrival),
  })
  const agents = [0, 1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  try {
    await ask(server.url, agents[0])
    lookedAtMs = -500
    await ask(server.url, agents[1])
    lookedAtMs = systemClock.monotonicMs()
    const between = lookedAtMs
    await ask(server.url, agents[2])
    lookedAtMs = systemClock.monotonicMs()
    await ask(server.url, agents[2])
    expect(seen.map(({ connection, openedAfter }) => [connection, openedAfter])).toEqual([
      [1, -1_000],
      [2, -1_000],
      [3, between],
      [3, between],
    ])
    // The first request of a connection may be as old as that; a later one has been looked for.
    expect(seen.map(({ notBefore }) => notBefore)).toEqual([-1_000, -1_000, between, lookedAtMs])
  } finally {
    for (const agent of agents) agent.destroy()
    await server.close()
  }
})
