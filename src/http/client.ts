import { isUtf8 } from 'node:buffer'
import { Agent, type Dispatcher } from 'undici'
import type { Exchange, exchangePhases, HeaderLine, RecordedBody } from '../evidence/exchange.js'
import type { Redactor } from '../evidence/redaction.js'
import type { Clock } from '../kit/clock.js'
import type { Credential, Credentials } from './credentials.js'

/** A request to be sent once. */
export interface Ask {
  readonly probe: string
  readonly step: string
  readonly intent: Readonly<Record<string, string>>
  readonly operation: string | null
  readonly method: string
  /** Below the base address; with its query, if it has one. */
  readonly path: string
  readonly credential: Credential
  readonly headers?: readonly HeaderLine[]
  readonly body?: string | Uint8Array
  readonly asksAgain?: string
}

/** How long each phase of an exchange may last, and how much of an answer is read. */
export interface ExchangeLimits {
  readonly connectMs: number
  readonly headMs: number
  readonly bodyMs: number
  readonly mostBodyBytes: number
  readonly mostHeaderBytes: number
}

const defaultExchangeLimits: ExchangeLimits = {
  connectMs: 5_000,
  headMs: 10_000,
  bodyMs: 30_000,
  mostBodyBytes: 8 * 2 ** 20,
  mostHeaderBytes: 64 * 2 ** 10,
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly redactor: Redactor
  readonly clock: Clock
  /** The run's start on the monotonic clock: every time is counted from it. */
  readonly startedAt: number
  readonly limits?: ExchangeLimits
  /** Certificates to trust besides the system's, as PEM. */
  readonly ca?: string
  readonly insecure?: boolean
}

/** Sends single exchanges and records them. The only HTTP client of the project besides the load generator's. */
export interface Client {
  send(ask: Ask, signal?: AbortSignal): Promise<Exchange>
  close(): Promise<void>
}

/**
 * An idle connection is let go after this long, sooner than a server would close it: a request that meets a
 * connection that is just being closed is lost, and a lost one can't be told from a refused one.
 */
const idleMs = 300

type Phase = (typeof exchangePhases)[number]

interface Received {
  phase: Phase
  sentAt: number
  receivedAt: number | null
  status: number
  reason: string
  headers: HeaderLine[]
  chunks: Buffer[]
  bytes: number
  truncated: boolean
}

const headerLines = (raw: readonly Buffer[] | null | undefined): HeaderLine[] => {
  const lines: HeaderLine[] = []
  for (let i = 0; raw && i + 1 < raw.length; i += 2)
    lines.push([raw[i].toString('latin1'), raw[i + 1].toString('latin1')])
  return lines
}

export const createClient = (options: ClientOptions): Client => {
  const { baseUrl, credentials, redactor, clock, startedAt } = options
  const limits = options.limits ?? defaultExchangeLimits
  const origin = new URL(baseUrl).origin
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const agent = new Agent({
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: limits.headMs,
    bodyTimeout: limits.bodyMs,
    maxHeaderSize: limits.mostHeaderBytes,
    connect: { timeout: limits.connectMs, ca: options.ca, rejectUnauthorized: !options.insecure },
  })
  const now = () => clock.monotonicMs() - startedAt
  let count = 0

  const record = (body: Uint8Array, bytes: number, truncated: boolean): RecordedBody => {
    const buffer = Buffer.from(body)
    if (isUtf8(buffer)) return { encoding: 'utf8', content: redactor.redact(buffer.toString('utf8')), bytes, truncated }
    // Bytes that are no text are searched as Latin-1, which gives every byte back as it was.
    const clean = Buffer.from(redactor.redact(buffer.toString('latin1')), 'latin1')
    return { encoding: 'base64', content: clean.toString('base64'), bytes, truncated }
  }

  const dispatch = (
    request: Dispatcher.DispatchOptions,
    signal?: AbortSignal,
  ): Promise<Received & { error: unknown }> =>
    new Promise((resolve) => {
      const received: Received = {
        phase: 'connect',
        sentAt: now(),
        receivedAt: null,
        status: 0,
        reason: '',
        headers: [],
        chunks: [],
        bytes: 0,
        truncated: false,
      }
      let stop: () => void = () => {}
      const bodyDeadline = { timer: undefined as NodeJS.Timeout | undefined }
      const settle = (error: unknown) => {
        clearTimeout(bodyDeadline.timer)
        signal?.removeEventListener('abort', stop)
        resolve({ ...received, error })
      }
      try {
        agent.dispatch(request, {
          onRequestStart(controller) {
            received.phase = 'head'
            received.sentAt = now()
            stop = () => controller.abort(new Error('interrupted'))
            if (signal?.aborted) stop()
            else signal?.addEventListener('abort', stop, { once: true })
          },
          onResponseStart(controller, status, _headers, reason) {
            if (status < 200) return
            received.phase = 'body'
            received.receivedAt = now()
            received.status = status
            received.reason = reason ?? ''
            received.headers = headerLines(controller.rawHeaders as Buffer[] | null)
            // A body that trickles in keeps resetting undici's own timer, so the whole of it is timed here.
            bodyDeadline.timer = setTimeout(
              () => controller.abort(new Error(`the body was not complete after ${limits.bodyMs} ms`)),
              limits.bodyMs,
            )
          },
          onResponseData(controller, chunk) {
            received.bytes += chunk.length
            if (received.bytes <= limits.mostBodyBytes) {
              received.chunks.push(chunk)
              return
            }
            received.truncated = true
            controller.abort(new Error(`the body is longer than ${limits.mostBodyBytes} bytes`))
          },
          onResponseEnd: () => settle(null),
          onResponseError: (_controller, error) => settle(error),
        })
      } catch (error) {
        settle(error)
      }
    })

  const toExchange = (
    ask: Ask,
    url: string,
    headers: readonly HeaderLine[],
    received: Received & { error: unknown },
  ): Exchange => {
    count += 1
    const { error } = received
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error && error.code ? String(error.code) : 'ERROR'
    const clean = ([name, value]: HeaderLine): HeaderLine => [redactor.redact(name), redactor.redact(value)]
    const bodyBytes = ask.body === undefined ? undefined : Buffer.from(ask.body)
    return {
      id: `x${count}`,
      probe: ask.probe,
      step: ask.step,
      intent: { ...ask.intent },
      key: ask.credential.form === 'none' ? null : (ask.credential as { key: string }).key,
      credential: ask.credential.form,
      operation: ask.operation,
      request: {
        method: ask.method,
        url: redactor.redact(url),
        headers: headers.map(clean),
        body:
          bodyBytes === undefined
            ? null
            : record(bodyBytes.subarray(0, 4096), bodyBytes.length, bodyBytes.length > 4096),
      },
      sentAt: received.sentAt,
      receivedAt: received.receivedAt,
      endedAt: now(),
      response:
        received.receivedAt === null
          ? null
          : {
              status: received.status,
              reason: redactor.redact(received.reason),
              headers: received.headers.map(clean),
              body: record(Buffer.concat(received.chunks), received.bytes, received.truncated),
            },
      error: error === null ? null : { phase: received.phase, code, message: redactor.redact(message) },
      asksAgain: ask.asksAgain ?? null,
    }
  }

  const send = async (ask: Ask, signal?: AbortSignal): Promise<Exchange> => {
    const { headers: credentialHeaders, query } = credentials.render(ask.credential)
    const joint = query === '' ? '' : ask.path.includes('?') ? '&' : '?'
    const path = `${basePath}${ask.path}${joint}${query}`
    const headers: HeaderLine[] = [...credentialHeaders, ['Accept', 'application/json'], ...(ask.headers ?? [])]
    const request: Dispatcher.DispatchOptions = {
      origin,
      path,
      method: ask.method as Dispatcher.HttpMethod,
      headers: headers.flat(),
      body: ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : Buffer.from(ask.body),
    }
    return toExchange(ask, `${origin}${path}`, headers, await dispatch(request, signal))
  }

  return { send, close: () => agent.destroy() }
}
