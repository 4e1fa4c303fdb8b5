import { isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import autocannon from 'autocannon'
import { trusting } from '../http/trust.js'
import type { LoadSpec } from './load-order.js'

/** The head of a response, as autocannon's parser delivers it. */
export interface ResponseHead {
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: readonly string[]
  readonly shouldKeepAlive: boolean
}

/** One of the load's connections. It sends and connects only when told. */
export interface Connection {
  readonly id: number
  /** Starts connecting; the listener gets `ready`, `unconnected` or `untrusted`. */
  connect(): void
  /** Writes the request; only after `ready`, or an `answered` that left the connection open. */
  send(): void
  /** Ends the connection at once. The listener is not told. */
  drop(): void
}

export interface ConnectionListener {
  ready(connection: Connection): void
  unconnected(connection: Connection, detail: string): void
  /** The target's certificate is not valid. Nothing has been sent on this connection. */
  untrusted(connection: Connection, detail: string): void
  head(connection: Connection, head: ResponseHead): void
  body(connection: Connection, bytes: Buffer): void
  /** The answer is complete. The connection is open for the next request, or closed. */
  answered(connection: Connection, open: boolean): void
  /** The connection ended before a head came: broken or against the protocol (`failed`), or simply closed. */
  unanswered(connection: Connection, failed: boolean, detail: string): void
  bodyCut(connection: Connection): void
  closedIdle(connection: Connection): void
}

/** The parts of autocannon 9.0.0's client in use, public or not; `autocannon-driver.test.ts` checks each assumption. */
interface AutocannonClient extends NodeJS.EventEmitter {
  readonly opts: { hostname: string; servername?: string; tlsOptions: ReturnType<typeof trusting> }
  readonly secure: boolean
  readonly parser: Parser
  conn?: Socket
  _connect(): void
  _doRequest(): void
  _destroyConnection(): void
}

interface Parser {
  initialize(type: 'RESPONSE'): void
  execute(chunk: Buffer): number | Error
  finish(): void
  readonly state: string
  readonly line: string
  readonly trailers: readonly string[]
  readonly constructor: { readonly kOnHeadersComplete: 2; readonly kOnBody: 3; readonly kOnMessageComplete: 4 }
  2: (head: ResponseHead) => unknown
  3: (chunk: Buffer, start: number, length: number) => void
  4: () => void
}

/** Bounds on what a target can make the parser hold: bytes of a line, lines of a trailer. Honest answers stay below. */
const longestLineBytes = 80 * 1024
const mostTrailers = 2000

/** 23 days, nearly the longest Node timer: the load has its own time limits, so autocannon's must not end it. */
const neverSeconds = 2_000_000

/** How often autocannon checks whether to end, in milliseconds, and so how soon it releases a finished load. */
const sampleIntMs = 50

type LoadPhase = 'down' | 'connecting' | 'ready' | 'waiting' | 'reading'

/** An autocannon client that connects, writes and parses, and decides nothing. */
class DrivenConnection implements Connection {
  #phase: LoadPhase = 'down'
  #interim = false
  #whole = false
  #excess = false
  #keepAlive = true
  #lastError: Error | undefined
  readonly #connect: () => void
  readonly #write: () => void

  constructor(
    readonly id: number,
    readonly client: AutocannonClient,
    readonly spec: LoadSpec,
    readonly listener: ConnectionListener,
  ) {
    this.#connect = client._connect.bind(client)
    this.#write = client._doRequest.bind(client)
    const destroy = client._destroyConnection.bind(client)
    // autocannon would send the next request here as soon as it can; the load decides when.
    client._doRequest = () => {}
    client._destroyConnection = () => client.conn && destroy()
    // autocannon's constructor calls this once its parser is ready, before anything is sent.
    client._connect = () => {
      this.#listenToParser()
      client._connect = () => this.#ended()
    }
    client.on('connError', (error: Error) => {
      this.#lastError = error
    })
  }

  connect(): void {
    const { client } = this
    this.#phase = 'connecting'
    this.#lastError = undefined
    this.#interim = this.#whole = this.#excess = false
    // If the last connection ended within an answer, the parser is still in the middle of it.
    client.parser.initialize('RESPONSE')
    this.#connect()
    const { conn } = client
    conn?.once(client.secure ? 'secureConnect' : 'connect', () => this.#connected(conn))
    conn?.once('close', () => {
      if (client.conn === conn && this.#phase !== 'down') this.#ended()
    })
  }

  send(): void {
    this.#phase = 'waiting'
    this.#write()
  }

  drop(): void {
    this.#phase = 'down'
    this.client._destroyConnection()
  }

  #connected(conn: Socket): void {
    if (this.#phase !== 'connecting' || this.client.conn !== conn) return
    const { secure } = this.client
    if (secure && !this.spec.tls?.insecure && !(conn as TLSSocket).authorized) {
      this.drop()
      this.listener.untrusted(this, String((conn as TLSSocket).authorizationError))
      return
    }
    this.#phase = 'ready'
    this.listener.ready(this)
  }

  #listenToParser(): void {
    const { parser } = this.client
    const { kOnHeadersComplete, kOnBody, kOnMessageComplete } = parser.constructor
    const onHead = parser[kOnHeadersComplete]
    const onWhole = parser[kOnMessageComplete]
    const execute = parser.execute.bind(parser)
    const hasNoBody = this.spec.method === 'HEAD'
    parser[kOnHeadersComplete] = (head) => {
      if (this.#phase !== 'waiting') {
        this.#excess = true
        return true
      }
      this.#interim = head.statusCode < 200 && head.statusCode !== 101
      if (this.#interim) return true
      this.#phase = 'reading'
      this.#keepAlive = head.statusCode !== 101 && (head.shouldKeepAlive || (hasNoBody && !closes(head)))
      this.listener.head(this, head)
      onHead(head)
      return hasNoBody
    }
    // autocannon would gather every body as a string, which nobody needs.
    parser[kOnBody] = (chunk) => {
      if (this.#phase === 'reading' && !this.#whole) this.listener.body(this, chunk)
    }
    parser[kOnMessageComplete] = () => {
      if (this.#phase !== 'reading' || this.#whole) return
      onWhole()
      this.#whole = true
    }
    parser.execute = (chunk) => this.#parsed(execute(chunk))
  }

  /** Checks the answer after the whole chunk was parsed: bytes after it answer nothing, and spoil the connection. */
  #parsed(result: number | Error): number | Error {
    const { parser } = this.client
    if (this.#phase === 'down') return result
    const tooLong = parser.line.length > longestLineBytes || parser.trailers.length > mostTrailers
    if (this.#whole) {
      const clean =
        typeof result === 'number' && !this.#excess && parser.state === 'RESPONSE_LINE' && parser.line === ''
      this.#finished(clean && this.#keepAlive)
    } else if (typeof result !== 'number' || tooLong || this.#excess) {
      const code = typeof result === 'number' ? undefined : ((result as NodeJS.ErrnoException).code ?? result.message)
      this.#lastError = new Error(`the answer is not an HTTP response (${code ?? 'too long, or not asked for'})`)
      this.#ended()
    }
    return result
  }

  #finished(open: boolean): void {
    this.#whole = false
    if (open) this.#phase = 'ready'
    else this.drop()
    this.listener.answered(this, open)
  }

  #ended(): void {
    const phase = this.#phase
    const error = this.#lastError
    if (phase === 'down') return
    // A body without a length ends with its connection (RFC 9112 §6.3).
    if (phase === 'reading' && !error) this.client.parser.finish()
    if (this.#whole) {
      this.#finished(false)
      return
    }
    this.drop()
    const detail = error?.message ?? 'the target closed the connection'
    if (phase === 'connecting') this.listener.unconnected(this, detail)
    else if (phase === 'ready') this.listener.closedIdle(this)
    else if (phase === 'waiting') this.listener.unanswered(this, error !== undefined, detail)
    else this.listener.bodyCut(this)
  }
}

const closes = ({ headers }: ResponseHead): boolean =>
  headers.some((name, at) => at % 2 === 0 && /^connection$/i.test(name) && /\bclose\b/i.test(headers[at + 1]))

/** Connects to the address resolved for the run; Host and the TLS name stay the URL's. */
const pin = ({ opts }: AutocannonClient, address: string) => {
  if (!isIP(opts.hostname)) opts.servername ??= opts.hostname
  opts.hostname = address
}

/**
 * Starts autocannon as a set of connections. Its amounts, rates, timeouts, retries and records are not used, since each is
 * wrong in a way that matters to quotas (docs/explanation/generator.md). Throws if the spec allows no request.
 */
export const startDriver = (spec: LoadSpec, listener: ConnectionListener) => {
  const connections: DrivenConnection[] = []
  const trust = trusting(spec.tls?.ca)
  const instance = autocannon({
    url: spec.url,
    method: spec.method as autocannon.Request['method'],
    headers: { ...spec.headers },
    body: spec.body,
    connections: Math.min(spec.connections, spec.amount),
    pipelining: 1,
    duration: neverSeconds,
    timeout: neverSeconds,
    sampleInt: sampleIntMs,
    skipAggregateResult: true,
    setupClient: (given) => {
      const client = given as unknown as AutocannonClient
      // Set here, because autocannon no longer copies its options at this point.
      client.opts.tlsOptions = trust
      if (spec.pinnedAddress !== undefined) pin(client, spec.pinnedAddress)
      connections.push(new DrivenConnection(connections.length, client, spec, listener))
    },
  })
  const ended = instance.then(
    () => undefined,
    (error: unknown) => error,
  )
  return {
    connections,
    async stop() {
      for (const connection of connections) connection.drop()
      ;(instance as unknown as { stop?(): void }).stop?.()
      const error = await ended
      if (error !== undefined) throw new Error('the load could not be started', { cause: error })
    },
  }
}
