import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../kit/clock.js'
import { type ScriptedArrival, startScriptedServer, watchInput } from './scripted-server.js'

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
    script: { answers: [{ status: 200, times: 1, delayMs: 0, bare: true }] },
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

let input: ReturnType<typeof watchInput> | undefined
afterEach(() => input?.stop())

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('a look counts once what was there has been handed out', async () => {
  input = watchInput(systemClock)
  const before = systemClock.monotonicMs()
  input.look()
  expect(input.lookedAtMs()).toBeLessThanOrEqual(before)
  await turns(3)
  expect(input.lookedAtMs()).toBeGreaterThanOrEqual(before)
})

it('what came while the process was stalled is not said to have come after it', async () => {
  input = watchInput(systemClock)
  const watch = input
  const seen: { sentBy: number; notBefore: number }[] = []
  let sentBy = 0
  const server = createServer((socket) => {
    socket.on('data', () => seen.push({ sentBy, notBefore: watch.lookedAtMs() }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  await once(client, 'connect')
  await turns(3)
  for (let sent = 0; sent < 5; sent += 1) {
    client.write('x')
    sentBy = systemClock.monotonicMs()
    while (systemClock.monotonicMs() < sentBy + 15);
    while (seen.length <= sent) await turns(1)
  }
  client.destroy()
  server.close()
  expect(seen.filter(({ sentBy, notBefore }) => notBefore > sentBy)).toEqual([])
})
