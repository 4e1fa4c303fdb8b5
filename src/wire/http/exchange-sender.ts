import { isUtf8 } from 'node:buffer'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { decodedBody, type ReceivedBody } from '../../evidence/decoded-body.js'
import type { Exchange, HeaderLine, RecordedBody } from '../../evidence/exchange.js'
import { redactHeader } from '../../evidence/kept-headers.js'
import type { Redactor } from '../../evidence/redaction.js'
import type { Clock } from '../../kit/clock.js'
import { acceptedCodings } from '../../kit/content-coding.js'
import { whyOf } from '../../kit/usage-error.js'
import { type Credential, type createCredentials, withQuery } from './credentials.js'
import { dispatch, ExchangeEnd, type Received } from './dispatch.js'
import { defaultExchangeLimits, type ExchangeLimits } from './exchange-limits.js'
import type { PinnedAddress } from './pin-address.js'
import { type Trust, trusting } from './trust.js'

/**
 * The most JSON values read from a body. The densest inventory, with 46 bytes and three values an entry, holds that many in
 * 7.3 MiB; a text of nothing but zeros and commas would take fifty times its size in memory.
 */
const mostValues = 500_000

const comma = 0x2c

/** The readable part of a body: nearly always all of it, else its beginning, marked as cut. */
export const readable = (body: ReceivedBody, most = mostValues): ReceivedBody => {
  const { content } = body
  let left = most
  for (let at = 0; at < content.length && content.length > most; at += 1) {
    if (content[at] === comma && --left === 0)
      return { ...body, content: content.subarray(0, at), truncated: true, isCut: true }
  }
  return body
}

export interface Ask {
  readonly probe: string
  readonly step: string
  readonly intent: Readonly<Record<string, string>>
  readonly operation: string | null
  /** The quota that it is sent for, if a contract has several. */
  readonly quota?: string
  readonly method: string
  /** Relative to the base address; with its query, if any. */
  readonly path: string
  readonly credential: Credential
  readonly headers?: readonly HeaderLine[]
  readonly body?: string | Uint8Array
  readonly asksAgain?: string
}

interface SenderOptions extends Trust {
  readonly baseUrl: string
  readonly credentials: ReturnType<typeof createCredentials>
  readonly redactor: Redactor
  readonly clock: Clock
  /** Receives each exchange before the caller sees it, so that nobody can forget to record one. */
  readonly record: (x: Exchange) => void
  /** The run's start on the monotonic clock: every time counts from it. */
  readonly startedAt: number
  readonly limits?: Partial<ExchangeLimits>
  /** How many exchanges an earlier part of the run sent: ids continue from there. */
  readonly sentBefore?: number
  /** The address for every connection, instead of resolving the host again. Host and SNI stay the URL's. */
  readonly pinned?: PinnedAddress
}

/** Sends single exchanges and records them. Only the load generator also sends HTTP to a target. */
export interface ExchangeSender {
  send(ask: Ask, signal?: AbortSignal): Promise<Exchange>
  close(): Promise<void>
}

/**
 * An idle connection is closed after this, sooner than by any server: a request on a connection that the server is just
 * closing is lost, and it is then unknown whether it was counted.
 */
const idleMs = 300

const pinnedLookup =
  (pinned: PinnedAddress): LookupFunction =>
  (_host, options, answer) => {
    if ('error' in pinned) answer(pinned.error, '')
    else if (options.all) answer(null, [{ ...pinned }])
    else answer(null, pinned.address, pinned.family)
  }

const agentOf = ({ ca, insecure, pinned }: SenderOptions, { connectMs, mostHeaderBytes }: ExchangeLimits): Agent =>
  new Agent({
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // `dispatch` times each phase.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHeaderBytes,
    // A resumed TLS session shows no certificate, but each connection must.
    maxCachedSessions: 0,
    connect: {
      timeout: connectMs,
      rejectUnauthorized: !insecure,
      ...trusting(ca),
      ...(pinned ? { lookup: pinnedLookup(pinned) } : {}),
    },
  })

/** What requests say unless they are asked to say something else. */
const usualHeaders: readonly HeaderLine[] = [
  ['Accept', 'application/json'],
  ['Accept-Encoding', acceptedCodings],
]

const recordBody = (
  { content, bytes, truncated, coding }: Omit<ReceivedBody, 'isCut'>,
  clean: (text: string) => string,
): RecordedBody => {
  const told = { bytes, truncated, ...(coding === undefined ? {} : { coding }) }
  if (isUtf8(content)) return { encoding: 'utf8', content: clean(content.toString('utf8')), ...told }
  // Other bytes are searched as Latin-1, which keeps every byte.
  const cleaned = Buffer.from(clean(content.toString('latin1')), 'latin1')
  return { encoding: 'base64', content: cleaned.toString('base64'), ...told }
}

/** Whether an error's message is Node's own or ours, so that it holds nothing from the target. */
const isOwnWords = (error: unknown): boolean =>
  error instanceof ExchangeEnd || (error instanceof Error && 'syscall' in error && typeof error.syscall === 'string')

const failureOf = ({ error, phase }: Received, redactor: Redactor): Exchange['error'] => {
  if (error === null) return null
  const message = whyOf(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ERROR'
  return { phase, code, message: isOwnWords(error) ? message : redactor.redact(message) }
}

/** How much of a request's body is recorded. */
const mostAskedBytes = 4096

const askedBody = (asked: Buffer): RecordedBody => {
  const content = asked.subarray(0, mostAskedBytes)
  return recordBody({ content, bytes: asked.length, truncated: asked.length > mostAskedBytes }, (text) => text)
}

export const createExchangeSender = (options: SenderOptions): ExchangeSender => {
  const { baseUrl, credentials, redactor, clock, startedAt, record } = options
  const limits = { ...defaultExchangeLimits, ...options.limits }
  const origin = new URL(baseUrl).origin
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const agent = agentOf(options, limits)
  const now = () => clock.monotonicMs() - startedAt
  let count = options.sentBefore ?? 0

  const responseOf = async (received: Received): Promise<Exchange['response']> => {
    if (received.receivedAt === null) return null
    const { status, reason, headers, chunks, bytes, truncated, error } = received
    const came = { content: Buffer.concat(chunks), bytes, truncated, isCut: truncated || error !== null }
    const body = readable(await decodedBody(came, headers, limits.mostBodyBytes))
    return {
      status,
      reason: redactor.redact(reason),
      headers: headers.map((line) => redactHeader(line, redactor)),
      body: recordBody(body, (text) => redactor.body(text, body.isCut)),
    }
  }

  const send = async (ask: Ask, signal?: AbortSignal): Promise<Exchange> => {
    const { headers: credentialHeaders, query } = credentials.render(ask.credential)
    const { headers: asked = [] } = ask
    const usual = usualHeaders.filter(([name]) => asked.every(([other]) => other !== name))
    const ownHeaders: HeaderLine[] = [...usual, ...asked]
    const headers: HeaderLine[] = [...credentialHeaders, ...ownHeaders]
    const request: Dispatcher.DispatchOptions = {
      origin,
      path: `${basePath}${withQuery(ask.path, query)}`,
      method: ask.method as Dispatcher.HttpMethod,
      headers: headers.flat(),
      body: ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : Buffer.from(ask.body),
    }
    const received = await dispatch(agent, request, { limits, now, signal })
    const endedAt = now()
    const response = await responseOf(received)
    count += 1
    const x: Exchange = {
      id: `x${count}`,
      probe: ask.probe,
      step: ask.step,
      intent: { ...ask.intent },
      key: ask.credential.form === 'none' ? null : (ask.credential as { key: string }).key,
      credential: ask.credential.form,
      operation: ask.operation,
      ...(ask.quota === undefined ? {} : { quota: ask.quota }),
      // Only a request's credential can hold a secret: probes, which made the rest, know none.
      request: {
        method: ask.method,
        url: `${origin}${basePath}${withQuery(ask.path, redactor.redact(query))}`,
        headers: [...credentialHeaders.map((line) => redactHeader(line, redactor)), ...ownHeaders],
        body: ask.body === undefined ? null : askedBody(Buffer.from(ask.body)),
      },
      sentAt: received.sentAt,
      receivedAt: received.receivedAt,
      endedAt,
      response,
      error: failureOf(received, redactor),
      asksAgain: ask.asksAgain ?? null,
    }
    record(x)
    return x
  }

  return { send, close: () => agent.destroy() }
}
