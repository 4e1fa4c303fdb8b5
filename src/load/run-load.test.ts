import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../kit/clock.js'
import type { LoadSpec } from './load-spec.js'
import { runLoad } from './run-load.js'
import { answer, startTarget, type Target } from './testing/target.js'

const open: Target[] = []
afterEach(async () => {
  for (const target of open.splice(0)) await target.close()
})
const targetOf = async (...parts: Parameters<typeof startTarget>): Promise<Target> => {
  const target = await startTarget(...parts)
  open.push(target)
  return target
}
const play = (target: { url: string }, spec: Partial<LoadSpec>) =>
  runLoad(
    {
      url: target.url,
      method: 'GET',
      headers: { Authorization: 'Bearer secret-key' },
      connections: 10,
      amount: 100,
      timeoutMs: 2000,
      redact: (text) => text.replaceAll('secret-key', '***'),
      ...spec,
    },
    systemClock,
    systemClock.monotonicMs(),
  )

test('exactly the amount is sent and answered, whatever the connections', async () => {
  let requests = 0
  const target = await targetOf((socket) => {
    requests++
    socket.write(answer(200))
  })
  const result = await play(target, { amount: 1003, connections: 7 })
  expect(requests).toBe(1003)
  expect(result).toMatchObject({ planned: 1003, sent: 1003, answered: 1003, end: 'complete', problem: null })
})

test('answers that close their connection are all recorded, each with its own times', async () => {
  const target = await targetOf((socket) => socket.end(answer(429, ['Connection: close'])))
  const result = await play(target, { amount: 500 })
  expect(result).toMatchObject({ sent: 500, answered: 500, lost: 0 })
  expect(target.accepted()).toBeGreaterThanOrEqual(500)
})
