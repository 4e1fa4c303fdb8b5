import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ledgerFlags } from '../../evidence/ledger.js'
import type { LoadResult, LoadSpec } from './load-order.js'
import { constantRate } from './schedule.js'
import { answer } from './testing/target.js'
import { stillClock, trialLoads } from './testing/trial-loads.js'

const { targetOf, play } = trialLoads({
  headers: { Authorization: 'Bearer secret-key' },
  connections: 4,
  amount: 20,
  redact: (text) => text.replaceAll('secret-key', '***'),
})

const drip = (socket: Socket, text: string) => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length]), 20)
  socket.on('close', () => clearInterval(timer))
}

test.each<[string, (socket: Socket, nth: number) => void, Partial<LoadResult>]>([
  ['answers twice', (socket) => socket.write(answer(200) + answer(404)), { answered: 20, end: 'complete' }],
  ['sends what is no HTTP', (socket) => socket.write('220 mail ready\r\n'), { answered: 0, end: 'breaker' }],
  ['ends a body by closing', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall'), { answered: 20, end: 'complete' }],
  ['closes within a body', (socket) => socket.end(`${answer(200, [], 'abc').slice(0, -1)}`), { answered: 20 }],
  ['closes within a head', (socket) => socket.end('HTTP/1.1 200 OK\r\nX-Rate'), { answered: 0, end: 'breaker' }],
  ['sends an endless line', (socket) => socket.write('H'.repeat(200_000)), { answered: 0, end: 'breaker' }],
  ['claims two lengths', (socket) => socket.write(answer(200, ['Content-Length: 7'])), { answered: 0, end: 'breaker' }],
])('a target that %s neither hangs the load nor loses a row', async (_, reply, expected) => {
  const target = await targetOf(reply)
  const result = await play(target)
  expect(result).toMatchObject(expected)
  expect(result.sent).toBe(result.answered + result.errors + result.timeouts + result.lost)
  expect(result.rows.length).toBe(result.sent)
})

test.each<[string, (socket: Socket) => void, Partial<LoadResult>]>([
  ['a head', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n'), { answered: 0, end: 'breaker' }],
  ['a body', (socket) => drip(socket.setNoDelay(), answer(200, [], 'a'.repeat(999))), {}],
])('a target that drips %s neither hangs the load nor loses a row', async (_, reply, expected) => {
  const target = await targetOf(reply)
  const result = await play(target, { timeoutMs: 300 })
  expect(result).toMatchObject(expected)
  expect(result.sent).toBe(result.answered + result.errors + result.timeouts + result.lost)
  expect(result.rows.length).toBe(result.sent)
})

test('what a target says unasked is not taken for the next answer', async () => {
  const target = await targetOf((socket) => socket.write(answer(200) + answer(404, [], '')))
  const { rows } = await play(target)
  expect(new Set(rows.status)).toEqual(new Set([200]))
  expect(target.accepted()).toBe(20)
})

test('a body without a length that ends with its connection is whole', async () => {
  const target = await targetOf((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall'))
  const { rows, samples } = await play(target, { amount: 3 })
  expect([...rows.flags]).toEqual(Array(3).fill(ledgerFlags.closedAfter))
  expect(samples[0].body).toMatchObject({ content: 'all', truncated: false })
})

test('no connection is opened for which there is nothing left to send', async () => {
  const target = await targetOf((socket) => socket.end(answer(429, ['Connection: close'])))
  expect(await play(target, { amount: 8, connections: 8 })).toMatchObject({ answered: 8 })
  expect(target.accepted()).toBe(8)
})

test('a body that is cut is flagged, and its answer counts', async () => {
  const target = await targetOf((socket) => socket.end(answer(200).slice(0, -1)))
  const { rows } = await play(target, { amount: 3 })
  expect([...rows.flags]).toEqual(Array(3).fill(ledgerFlags.bodyCut))
})

test('a connection that the target closed while idle is replaced before the next request', async () => {
  const clock = stillClock()
  const target = await targetOf((socket) => {
    socket.write(answer(200))
    setTimeout(() => socket.end(), 20)
    // The load has ended its side too: it knows, or will in the same turn.
    socket.once('close', () => setImmediate(() => setImmediate(() => clock.passMs(260))))
  })
  const result = await play(target, { amount: 3, connections: 1, shape: (n) => n * 260 }, clock)
  expect(result).toMatchObject({ answered: 3, lost: 0 })
  expect(target.accepted()).toBe(3)
})

test('a connection is not used to the end of the time that the target keeps it', async () => {
  const target = await targetOf((socket) => socket.write(answer(200, ['Keep-Alive: timeout=1'])))
  const result = await play(target, { amount: 6, connections: 1, shape: (n) => n * 100 })
  expect(result).toMatchObject({ answered: 6, lost: 0 })
  // After a stall of the machine requests follow each other at once: no connection is idle then.
  const { sentUs, receivedUs } = result.rows
  const wasIdle = sentUs.some((us, row) => row > 0 && us - receivedUs[row - 1] > 80_000)
  expect(target.accepted()).toBeGreaterThan(wasIdle ? 1 : 0)
})

test('a load ends at its time limit, and says what was not sent', async () => {
  const clock = stillClock()
  const target = await targetOf((socket, nth) => (nth === 0 ? socket.write(answer(200)) : clock.passMs(100)))
  const result = await play(target, { connections: 1, timeLimitMs: 100, amount: 9 }, clock)
  expect(result).toMatchObject({ end: 'time-limit', sent: 2, answered: 1, lost: 1, planned: 9 })
})

test('the pinned address is connected to, and the host asked for by its name', async () => {
  const heads: string[] = []
  const target = await targetOf((socket, _, head) => {
    heads.push(head)
    socket.write(answer(200))
  })
  const url = `http://pets.invalid:${target.port}/v1/inventory?a=b`
  expect(await play({ url }, { pinnedAddress: '127.0.0.1', amount: 1 })).toMatchObject({ answered: 1 })
  expect(heads[0]).toContain('GET /v1/inventory?a=b HTTP/1.1')
  expect(heads[0]).toContain(`Host: pets.invalid:${target.port}`)
})

test('a body is sent with its length', async () => {
  const heads: string[] = []
  const target = await targetOf((socket, _, head) => {
    heads.push(head)
    socket.write(answer(200))
  })
  expect(await play(target, { method: 'PATCH', body: '{"quantity":5}', amount: 5 })).toMatchObject({ answered: 5 })
  expect(heads[4]).toContain('Content-Length: 14')
})

test('a few whole responses of each status are kept, without secrets and bounded', async () => {
  const long = 'x'.repeat(100_000)
  const target = await targetOf((socket, nth) => {
    const body = nth % 2 ? 'you sent secret-key' : `${long}`
    socket.write(answer(nth % 2 ? 429 : 200, ['X-Echo: Bearer secret-key'], body).slice(0, -4))
    setImmediate(() => socket.write(body.slice(-4)))
  })
  const { samples } = await play(target, { connections: 1 })
  expect(samples.map(({ row, status }) => [row, status])).toEqual([
    [0, 200],
    [1, 429],
    [2, 200],
    [3, 429],
    [6, 200],
    [14, 200],
  ])
  expect(samples[1]).toMatchObject({ body: { encoding: 'utf8', content: 'you sent ***', bytes: 19, truncated: false } })
  expect(samples[0].body).toMatchObject({ bytes: 100_000, truncated: true, content: long.slice(0, 16 * 1024) })
  expect(samples[0].headers).toContainEqual(['X-Echo', 'Bearer ***'])
  expect(JSON.stringify(samples)).not.toContain('secret-key')
})

test('a question whether to stop that throws ends the load with that error', async () => {
  const target = await targetOf((socket) => socket.write(answer(200)))
  const stopWhen = () => {
    throw new Error('no idea')
  }
  await expect(play(target, { stopWhen })).rejects.toThrow('no idea')
})

test('a load that is called off before it begins sends nothing', async () => {
  const target = await targetOf(() => {})
  const result = await play(target, { signal: AbortSignal.abort() })
  expect(result).toMatchObject({ end: 'aborted', sent: 0, planned: 20 })
  expect(target.accepted()).toBe(0)
})

test.each<[string, Partial<LoadSpec>]>([
  ['no requests', { amount: 0 }],
  ['no connections', { connections: 0 }],
  ['a line break in a header', { headers: { a: 'b\r\nc: d' } }],
  ['a shape that names no time', { shape: () => Number.NaN }],
  ['a method that is none', { method: 'NONSENSE' }],
])('a load of %s is refused', async (_, spec) => {
  await expect(play({ url: 'http://127.0.0.1:9/' }, spec)).rejects.toThrow()
})

test('a target that answers 5xx to more than its share ends the load, and those that answer fewer do not', async () => {
  const failing = await targetOf((socket, nth) => socket.write(answer(nth % 3 === 0 ? 200 : 503)))
  const ended = await play(failing, { amount: 1000, connections: 1, mostServerErrorPercent: 50 })
  expect(ended).toMatchObject({ end: 'server-errors', planned: 1000, sent: 20, answered: 20, lost: 0 })
  expect(ended.problem).toBe('13 of its first 20 answers were 5xx')
  const half = await targetOf((socket, nth) => socket.write(answer(nth % 2 === 0 ? 200 : 503)))
  expect(await play(half, { amount: 100, mostServerErrorPercent: 60 })).toMatchObject({ end: 'complete', sent: 100 })
})

test('a refusal that comes as a 503 by the contract is no sign that the target fails', async () => {
  const target = await targetOf((socket) => socket.write(answer(503)))
  const statusOf = () => 429
  expect(await play(target, { amount: 100, mostServerErrorPercent: 50, statusOf })).toMatchObject({ sent: 100 })
})

test('a load that is called off in order loses no answer that is under way, and sends nothing more', async () => {
  const calledOff = new AbortController()
  const target = await targetOf((socket) => {
    calledOff.abort()
    setTimeout(() => socket.write(answer(200)), 30)
  })
  const inOrder = await play(target, { signal: calledOff.signal, abortsInOrder: () => true })
  expect(inOrder).toMatchObject({ end: 'aborted', answered: inOrder.sent, lost: 0, problem: 'it was cancelled' })
  expect(inOrder.sent).toBeLessThanOrEqual(4)
})

test('each row is told before its request goes out, and again with its answer', async () => {
  const told: string[] = []
  let arrived = 0
  const target = await targetOf((socket) => {
    arrived += 1
    socket.write(answer(200))
  })
  const onRow: LoadSpec['onRow'] = ({ index, status }) => told.push(`${index} ${status} ${arrived}`)
  await play(target, { amount: 2, connections: 1, onRow })
  expect(told).toEqual(['0 0 0', '0 200 1', '1 0 1', '1 200 2'])
})

test('a load that is to begin at a moment sends nothing before it, and is due from then on', async () => {
  const target = await targetOf((socket) => socket.write(answer(200)))
  const beganMs = performance.now()
  const result = await play(target, { amount: 3, shape: () => 0, beginAtMs: beganMs + 150 })
  expect(result.rows.sentUs[0]).toBeGreaterThanOrEqual(result.rows.plannedUs[0])
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(150)
  expect(result).toMatchObject({ end: 'complete', sent: 3 })
})

test('a load that is called off while it waits for its moment sends nothing', async () => {
  const target = await targetOf((socket) => socket.write(answer(200)))
  const result = await play(target, { beginAtMs: performance.now() + 60_000, signal: AbortSignal.timeout(100) })
  expect(result).toMatchObject({ end: 'aborted', sent: 0 })
})

test('a load that is called off just before a request goes out does not send that one', async () => {
  let asked = 0
  const target = await targetOf((socket) => {
    asked += 1
    socket.write(answer(200))
  })
  const calledOff = new AbortController()
  const result = await play(target, {
    connections: 1,
    signal: calledOff.signal,
    onRow: ({ index }) => void (index === 5 && calledOff.abort()),
  })
  expect(result).toMatchObject({ end: 'aborted', sent: 6, answered: 5, lost: 1 })
  expect(asked).toBe(5)
})

test('a load with a ceiling keeps it where it catches up after the target was slow', async () => {
  const target = await targetOf((socket, nth) => void setTimeout(() => socket.write(answer(200)), nth === 1 ? 400 : 0))
  const { rows } = await play(target, { connections: 1, amount: 90, shape: constantRate(50), mostPerSecond: 50 })
  const sentMs = Array.from(rows.sentUs, (us) => us / 1000)
  const inAnySecond = sentMs.map((from) => sentMs.filter((each) => each >= from && each < from + 1000).length)
  expect(Math.max(...inAnySecond)).toBeLessThanOrEqual(51)
})
