import { Agent, request as forward, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { HeaderLine } from '../../src/evidence/exchange.js'

/** An answer as a healthy target gives it. */
export interface Healthy {
  readonly status: number
  readonly reason: string
  readonly headers: readonly HeaderLine[]
  readonly body: Buffer
}

/** One request that has arrived, what a healthy target says to it, and the connection to say something else on. */
export interface Turn {
  readonly socket: Socket
  /** From 0, over all connections of the target. */
  readonly nth: number
  readonly method: string
  readonly path: string
  readonly healthy: Healthy
}

export interface Front {
  readonly port: number
  /** Requests that have arrived so far. */
  readonly arrived: () => number
  close(): Promise<void>
}

/** The head of an answer, down to its empty line, with these headers and no others. */
export const headText = (status: number, reason: string, headers: readonly HeaderLine[]): string =>
  [`HTTP/1.1 ${status} ${reason}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')

const isFraming = ([name]: HeaderLine): boolean =>
  /^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name)

/** The headers that are not about where the body ends. */
export const plainHeaders = ({ headers }: Healthy): HeaderLine[] => headers.filter((line) => !isFraming(line))

/** A whole answer, its length told rightly, with these headers besides. */
export const whole = (answer: Healthy, ...further: readonly HeaderLine[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      headText(answer.status, answer.reason, [
        ...plainHeaders(answer),
        ...further,
        ['Content-Length', String(answer.body.length)],
      ]),
      'latin1',
    ),
    answer.body,
  ])

const linesOf = (raw: readonly string[]): HeaderLine[] =>
  Array.from({ length: raw.length / 2 }, (_, at): HeaderLine => [raw[2 * at], raw[2 * at + 1]])

const read = async (message: IncomingMessage): Promise<Healthy> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? '',
    headers: linesOf(message.rawHeaders),
    body: Buffer.concat(chunks),
  }
}

/** Asks the healthy target behind the front the same question. */
const askBehind = (behind: URL, agent: Agent, head: string, body: Buffer): Promise<Healthy> =>
  new Promise((resolve, reject) => {
    const [line, ...lines] = head.split('\r\n')
    const [method, path] = line.split(' ')
    const headers = lines.flatMap((each) => {
      const at = each.indexOf(':')
      return /^(connection|host)$/i.test(each.slice(0, at)) ? [] : [each.slice(0, at), each.slice(at + 1).trim()]
    })
    const asked = forward(
      {
        host: behind.hostname,
        port: behind.port,
        method,
        path,
        headers: [...headers, 'Host', behind.host],
        agent,
      },
      (message) => read(message).then(resolve, reject),
    )
    asked.once('error', reject)
    asked.end(body)
  })

const lengthOf = (head: string): number => Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)

export interface FrontOptions {
  /** The base address of a healthy target. */
  readonly behind: string
  readonly act: (turn: Turn) => void | Promise<void>
  readonly onConnection?: (socket: Socket) => void
  readonly make?: (listener: (socket: Socket) => void) => Server
}

/** Starts a server at the bytes' level that knows what a healthy target would say, and says what `act` wants. */
export const startFront = async ({ behind, act, onConnection, make = createServer }: FrontOptions): Promise<Front> => {
  const sockets = new Set<Socket>()
  let arrived = 0
  const agent = new Agent({ keepAlive: true })
  const serve = async (socket: Socket, head: string, body: Buffer) => {
    const nth = arrived++
    const healthy = await askBehind(new URL(behind), agent, head, body)
    const [method, path] = head.split(' ')
    if (!socket.destroyed) await act({ socket, nth, method, path, healthy })
  }
  const server = make((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    onConnection?.(socket)
    let bytes = Buffer.alloc(0)
    let last: Promise<void> = Promise.resolve()
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let end = bytes.indexOf('\r\n\r\n'); end >= 0; end = bytes.indexOf('\r\n\r\n')) {
        const head = bytes.subarray(0, end).toString('latin1')
        const until = end + 4 + lengthOf(head)
        if (bytes.length < until) return
        const body = bytes.subarray(end + 4, until)
        bytes = bytes.subarray(until)
        last = last.then(() => serve(socket, head, body)).catch(() => void socket.destroy())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrived: () => arrived,
    close: async () => {
      agent.destroy()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
