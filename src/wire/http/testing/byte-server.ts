import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { Exchange } from '../../../evidence/exchange.js'
import { createRedactor } from '../../../evidence/redaction.js'
import { systemClock } from '../../../kit/clock.js'
import { seededRandom } from '../../../kit/random.js'
import { createCredentials } from '../credentials.js'
import type { ExchangeLimits } from '../exchange-limits.js'
import { type Ask, createExchangeSender, type ExchangeSender } from '../exchange-sender.js'

export const secret = 'pk_live_s3cr3t'

/** So long that a busy machine never reaches it; a test of a time-out sets its own. */
const neverMs = 60_000
const sizes = { mostBodyBytes: 2 ** 20, mostHeaderBytes: 2 ** 16 }
const roomy = { connectMs: neverMs, headMs: neverMs, bodyMs: neverMs, ...sizes }

/** Everything to close after each test. */
const open: (() => Promise<unknown>)[] = []
/** What the senders have recorded. */
export const recorded: Exchange[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A server at byte level: `onRequest` gets each complete request, as Latin-1, and the socket for the answer. */
export const serve = async (onRequest: (socket: Socket, request: string, nth: number) => void): Promise<number> => {
  const sockets = new Set<Socket>()
  let nth = 0
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      const request = text
      text = ''
      onRequest(socket, request, nth++)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

export const answer = (head: string, body: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)])

export const senderOf = (
  port: number,
  limits: Partial<ExchangeLimits> = {},
  startedAt = systemClock.monotonicMs(),
): ExchangeSender => {
  const redactor = createRedactor()
  const sender = createExchangeSender({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    credentials: createCredentials(new Map([['free', secret]]), redactor, seededRandom(1)),
    redactor,
    clock: systemClock,
    record: (x) => recorded.push(x),
    startedAt,
    limits: { ...roomy, ...limits },
  })
  open.push(() => sender.close())
  return sender
}

export const ask = (part: Partial<Ask> = {}): Ask => ({
  probe: 'hello',
  step: 'list',
  intent: { case: 'a case' },
  operation: 'listInventory',
  method: 'GET',
  path: '/inventory',
  credential: { form: 'bearer', key: 'free' },
  ...part,
})

export const ok = answer('HTTP/1.1 200 OK\r\nContent-Type: application/json', '[]')
