import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { LoadSpec } from './load-order.js'
import { answer } from './testing/target.js'
import { stillClock, trialLoads } from './testing/trial-loads.js'

type Reply = (socket: Socket, nth: number, tooLate: () => void) => void

const { targetOf, play } = trialLoads({ headers: {}, connections: 1, amount: 6, redact: (text) => text })

/** How long an answer may take, on a clock that a target moves that gives none. */
const timeoutMs = 200

const heard = async (reply: Reply, spec: Partial<LoadSpec> = {}) => {
  const counts = { asked: 0, answered: 0, failed: 0 }
  const clock = stillClock()
  const target = await targetOf((socket, nth) => reply(socket, nth, () => clock.passMs(timeoutMs)))
  const ear: LoadSpec['ear'] = {
    asked: () => void counts.asked++,
    answered: () => void counts.answered++,
    failed: () => void counts.failed++,
  }
  const { sent } = await play(target, { ear, timeoutMs, ...spec }, clock)
  return { counts, sent }
}

test.each<readonly [what: string, reply: Reply, answered: number]>([
  ['answers', (socket) => socket.write(answer(200)), 6],
  ['answers 503', (socket) => socket.write(answer(503)), 6],
  ['answers the first three', (socket, nth, tooLate) => (nth < 3 ? socket.write(answer(200)) : tooLate()), 3],
  [
    'never ends a body',
    (socket, _, tooLate) => {
      socket.write(answer(200, [], 'abc').slice(0, -1))
      // Again and again, for the time of a body begins anew when its head is read.
      const passing = setInterval(tooLate, 20)
      socket.once('close', () => clearInterval(passing))
    },
    0,
  ],
  ['closes unanswered', (socket) => socket.end(), 0],
])('of a target that %s each request is heard to go out, and to be answered in full or not', async (...row) => {
  const [, reply, answered] = row
  const { counts, sent } = await heard(reply)
  expect(counts).toEqual({ asked: sent, answered, failed: sent - answered })
})

test('what is dropped when a load is ended is heard to come to nothing', async () => {
  const calledOff = new AbortController()
  const { counts, sent } = await heard(() => calledOff.abort(), { signal: calledOff.signal, timeoutMs: 60_000 })
  expect(counts).toEqual({ asked: sent, answered: 0, failed: sent })
})

test('connections that can not be made are heard to come to nothing', async () => {
  const counts = { asked: 0, failed: 0 }
  const ear = { asked: () => void counts.asked++, answered: () => {}, failed: () => void counts.failed++ }
  const { connectFailures } = await play({ url: 'http://127.0.0.1:9/' }, { ear })
  expect(counts).toEqual({ asked: connectFailures, failed: connectFailures })
  expect(connectFailures).toBeGreaterThan(0)
})
