import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../src/kit/clock.js'
import { watchInput } from './scripted-server.js'

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
