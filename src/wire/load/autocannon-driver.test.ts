import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { ledgerFlags, ledgerRow } from '../../evidence/ledger.js'
import { systemClock } from '../../kit/clock.js'
import type { LoadSpec } from './load-order.js'
import { constantRate } from './schedule.js'
import { certificate, key } from './testing/certificate.js'
import { answer } from './testing/target.js'
import { stillClock, trialLoads } from './testing/trial-loads.js'

// One test for each thing that autocannon 9.0.0 was measured to get wrong, so that an upgrade shows what changed.

const { targetOf, play } = trialLoads({ connections: 10, amount: 100 })
const nowUs = () => systemClock.monotonicMs() * 1000

/** A target that writes the number of the request into `Remaining`, and remembers when it decided. */
const numbered = async (reply: (socket: Socket, head: string[], nth: number) => void) => {
  const decidedUs: number[] = []
  const target = await targetOf((socket, nth) => {
    decidedUs.push(nowUs())
    reply(socket, [`X-RateLimit-Remaining: ${nth}`], nth)
  })
  return { ...target, decidedUs }
}

test('the amount is exact, also where the connections do not divide it', async () => {
  let requests = 0
  const target = await targetOf((socket) => {
    requests++
    socket.write(answer(200))
  })
  const result = await play(target, { amount: 1003, connections: 48 })
  expect(requests).toBe(1003)
  expect(result).toMatchObject({ planned: 1003, sent: 1003, answered: 1003, end: 'complete', problem: null })
  expect(target.accepted()).toBe(48)
})

test('a connection never has two requests under way', async () => {
  const waiting = new Map<Socket, number>()
  let most = 0
  const target = await targetOf((socket) => {
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    most = Math.max(most, ...waiting.values())
    setImmediate(() => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1)
      socket.write(answer(200))
    })
  })
  expect(await play(target, { amount: 300 })).toMatchObject({ answered: 300 })
  expect(most).toBe(1)
})

test.each([
  ['keep their connection', (socket: Socket, headers: string[]) => void socket.write(answer(200, headers))],
  ['close it', (socket: Socket, headers: string[]) => void socket.end(answer(429, ['connection: Close', ...headers]))],
  [
    'close it now and then',
    (socket: Socket, headers: string[], nth: number) =>
      nth % 3
        ? void socket.write(answer(200, headers))
        : void socket.end(answer(429, ['Connection: close', ...headers])),
  ],
])('answers that %s: none is lost, and each has its own times', async (_, reply) => {
  const target = await numbered(reply)
  const { rows, ...result } = await play(target, { amount: 500, connections: 20 })
  expect(result).toMatchObject({ sent: 500, answered: 500, lost: 0, errors: 0, timeouts: 0 })
  for (let row = 0; row < rows.length; row++) {
    const decided = target.decidedUs[rows.remaining[row]]
    expect(rows.sentUs[row]).toBeLessThanOrEqual(decided)
    expect(decided).toBeLessThanOrEqual(rows.receivedUs[row])
  }
  expect(new Set(rows.remaining).size).toBe(500)
})

test('requests whose connection is dropped are lost rows, and nothing is sent twice', async () => {
  const target = await numbered((socket, headers, nth) =>
    nth % 5 === 0 ? void socket.end() : void socket.write(answer(200, headers)),
  )
  const { rows, ...result } = await play(target, { amount: 200 })
  expect(target.decidedUs.length).toBe(200)
  expect(result).toMatchObject({ sent: 200, answered: 160, lost: 40, errors: 0, timeouts: 0, end: 'complete' })
  const lost = ledgerRow(rows, rows.status.indexOf(0))
  expect(lost).toMatchObject({ status: 0, receivedUs: Number.NaN, flags: ledgerFlags.lost })
})

test('requests whose connection is reset are errors, and nothing is sent twice', async () => {
  const target = await numbered((socket, headers, nth) =>
    nth % 5 === 0 ? void socket.resetAndDestroy() : void socket.write(answer(200, headers)),
  )
  const result = await play(target, { amount: 200 })
  expect(target.decidedUs.length).toBe(200)
  expect(result).toMatchObject({ sent: 200, answered: 160, errors: 40, lost: 0, end: 'complete' })
})

test('a rate is kept over the whole time: no request comes before it is due', async () => {
  const target = await targetOf((socket) => socket.write(answer(200)))
  const { rows, ...result } = await play(target, { amount: 300, shape: constantRate(1000), connections: 50 })
  expect(result).toMatchObject({ sent: 300, answered: 300 })
  for (let row = 0; row < rows.length; row++) {
    expect(rows.sentUs[row]).toBeGreaterThanOrEqual(rows.plannedUs[row])
    expect(rows.plannedUs[row] - rows.plannedUs[0]).toBeCloseTo(row * 1000, 3)
  }
  expect(result.scheduleErrorMs?.p50).toBeGreaterThanOrEqual(0)
})

test('a rate below the number of connections leaves them all usable', async () => {
  const target = await targetOf((socket) => socket.write(answer(200)))
  const result = await play(target, { amount: 30, shape: constantRate(29), connections: 30 })
  expect(result).toMatchObject({ answered: 30 })
  expect(target.accepted()).toBe(30)
})

test('nothing more is sent once the load is told to stop', async () => {
  let requests = 0
  const target = await targetOf((socket, nth) => {
    requests++
    socket.write(answer(nth >= 60 ? 429 : 200))
  })
  const result = await play(target, { amount: 10_000, stopWhen: ({ status }) => status === 429 })
  expect(result).toMatchObject({ end: 'stop-when', planned: 10_000, sent: requests, answered: requests, lost: 0 })
  expect(requests).toBeLessThan(60 + 2 * 10)
})

test('a load that is called off ends, and what was under way is lost', async () => {
  const abort = new AbortController()
  const target = await targetOf((socket, nth) => (nth < 50 ? socket.write(answer(200)) : nth === 55 && abort.abort()))
  const result = await play(target, { amount: 10_000, signal: abort.signal, timeoutMs: 60_000 })
  expect(result.end).toBe('aborted')
  expect(result.answered + result.lost).toBe(result.sent)
  expect(result.lost).toBeGreaterThanOrEqual(6)
})

test('refused connections end the load after so many, with nothing sent', async () => {
  const target = await targetOf(() => {})
  await target.close()
  const result = await play(target, { breaker: { failures: 30 } })
  expect(result).toMatchObject({
    end: 'breaker',
    sent: 0,
    planned: 100,
    connectFailures: 30,
    breaker: { failures: 30 },
  })
  expect(result.problem).toMatch(/30 failures in a row.*ECONNREFUSED/)
})

test('a target that accepts and closes ends the load after so many, not after a storm', async () => {
  const target = await targetOf(
    () => {},
    (socket) => socket.destroy(),
  )
  const result = await play(target, { breaker: { failures: 30 }, amount: 1000 })
  expect(result.end).toBe('breaker')
  expect(target.accepted()).toBeLessThanOrEqual(50)
})

test('failures with answers between them do not add up', async () => {
  const target = await targetOf((socket, nth) => (nth % 2 ? socket.end() : socket.write(answer(200))))
  const result = await play(target, { breaker: { failures: 5 }, connections: 1, amount: 40 })
  expect(result).toMatchObject({ end: 'complete', answered: 20, lost: 20 })
})

test('each answer that does not come is one timeout, below a second too', async () => {
  const target = await targetOf(() => {})
  const { rows, ...result } = await play(target, { amount: 6, connections: 3, timeoutMs: 60 })
  expect(result).toMatchObject({ sent: 6, timeouts: 6, answered: 0, end: 'complete' })
  expect([...rows.flags]).toEqual(Array(6).fill(ledgerFlags.timedOut))
})

test('an idle connection does not time out', async () => {
  const clock = stillClock()
  const target = await targetOf((socket) => socket.write(answer(200)))
  // Time passes only between an answer and the next request: to just before that, and once time-outs were looked for, to it.
  const onRow: LoadSpec['onRow'] = ({ status }) => {
    if (status === 0) return
    setImmediate(() => clock.passMs(99))
    setTimeout(() => clock.passMs(1), 50)
  }
  const spec: Partial<LoadSpec> = { amount: 3, connections: 1, timeoutMs: 40, shape: constantRate(10), onRow }
  const result = await play(target, spec, clock)
  expect(result).toMatchObject({ answered: 3, timeouts: 0 })
  expect(target.accepted()).toBe(1)
})

const tls = (listener: (socket: Socket) => void): Server => createTlsServer({ key, cert: certificate }, listener)

test.each<[string, string, LoadSpec['tls'], boolean]>([
  ['of an unknown issuer', 'target.test', undefined, false],
  ['for another name', 'other.test', { ca: certificate }, false],
  ['that holds', 'target.test', { ca: certificate }, true],
  ['of an unknown issuer, where told not to mind', 'target.test', { insecure: true }, true],
])('a certificate %s decides before anything is sent', async (_, host, how, trusted) => {
  let requests = 0
  const target = await targetOf(
    (socket) => {
      requests++
      socket.write(answer(200))
    },
    undefined,
    tls,
  )
  const url = `https://${host}:${target.port}/v1/inventory`
  const result = await play({ url }, { pinnedAddress: '127.0.0.1', amount: 20, tls: how })
  expect(requests).toBe(trusted ? 20 : 0)
  expect(result).toMatchObject({ end: trusted ? 'complete' : 'certificate', sent: requests })
  if (!trusted) expect(result.problem).toMatch(/certificate is not trusted/)
})

test('a HEAD is answered by a head alone', async () => {
  const target = await targetOf((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'))
  expect(await play(target, { method: 'HEAD', amount: 30 })).toMatchObject({ answered: 30, end: 'complete' })
  expect(target.accepted()).toBe(10)
})

test('an interim response is no answer', async () => {
  const target = await targetOf((socket) => {
    socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer(200)}`)
  })
  const { rows, ...result } = await play(target, { amount: 30 })
  expect(result).toMatchObject({ sent: 30, answered: 30 })
  expect(new Set(rows.status)).toEqual(new Set([200]))
})

test('trailers and chunks are read to their end', async () => {
  const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-RateLimit-Limit: 7\r\n\r\n'
  const target = await targetOf((socket) => socket.write(text))
  const { rows, ...result } = await play(target, { amount: 30 })
  expect(result).toMatchObject({ answered: 30 })
  expect(rows.limit.every(Number.isNaN)).toBe(true)
  expect(target.accepted()).toBe(10)
})

test('a redirect is an answer, and is not followed', async () => {
  let requests = 0
  const target = await targetOf((socket) => {
    requests++
    socket.write(answer(302, ['Location: /v1/elsewhere']))
  })
  const { rows } = await play(target, { amount: 20 })
  expect(requests).toBe(20)
  expect(new Set(rows.status)).toEqual(new Set([302]))
})

test('a load that is all refused is complete, and its rows say 429', async () => {
  const target = await targetOf((socket) => socket.write(answer(429, ['Retry-After: 12'])))
  const { rows, end } = await play(target, { amount: 20 })
  expect(end).toBe('complete')
  expect(ledgerRow(rows, 19)).toMatchObject({ status: 429, retryAfter: 12 })
})
