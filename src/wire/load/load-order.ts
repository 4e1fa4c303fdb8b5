import { z } from 'zod'
import type { ContractRequest } from '../../contract/api-contract.js'
import type { HeaderLine } from '../../evidence/exchange.js'
import { redactHeader } from '../../evidence/kept-headers.js'
import type {
  LedgerCounts,
  LedgerHead,
  LedgerOrigin,
  LedgerRow,
  LedgerRows,
  LedgerSample,
  LoadReading,
} from '../../evidence/ledger.js'
import type { Redactor } from '../../evidence/redaction.js'
import { acceptedCodings } from '../../kit/content-coding.js'
import { type RenderedCredential, withQuery } from '../http/credentials.js'
import type { Trust } from '../http/trust.js'
import { type Shape, schedule, scheduleCeiling, scheduleShape } from './schedule.js'
import { stopperOf, stopRule } from './stop-rule.js'

/** A load as data: everything that its sender must know, by names and without secrets. The sender has the address and keys. */
export const loadOrder = z.strictObject({
  id: z.string().regex(/^[\w-]{1,100}$/),
  probe: z.string(),
  key: z.string(),
  /** The request's name in the contract file; null for the list of the bundled contract. */
  request: z.string().nullable(),
  /** The quota of the contract file by which to read answers. */
  quota: z.string().nullable(),
  connections: z.int().min(1).max(65_535),
  /** How many requests are sent: exactly this many, unless the load ends early. */
  amount: z.int().min(1).max(50_000_000),
  schedule: schedule.nullable(),
  stop: stopRule.nullable(),
  /** The longest time for an answer's head; its body may take as long again. */
  timeoutMs: z.number().positive(),
  connectTimeoutMs: z.number().positive().nullable(),
  mostServerErrorPercent: z.number().min(0).max(100),
  isSpread: z.boolean(),
})
export type LoadOrder = z.infer<typeof loadOrder>

/** Tracks whether the target answers at all. Times are milliseconds on the load's clock. */
export interface LoadEar {
  /** A request is sent; or, reported later, a connection attempt began then and failed. */
  asked(at: number): void
  answered(at: number): void
  /** A request failed: no connection, no answer, or only part of one. */
  failed(at: number): void
}

/** Something done to the target on purpose. Times are milliseconds on the load's clock. */
export interface Disturbance {
  readonly fromMs: number
  /** Infinity while it goes on. */
  readonly endedMs: number
}

interface LoadEvent {
  /** How many requests are sent before it. */
  readonly after: number
  /** Whether the load waits for it, once nothing is in transit; otherwise it keeps to its schedule meanwhile. */
  readonly standsStill: boolean
  /** Triggers it. Resolves when it is over; never rejects. */
  happen(sent: number): Promise<void>
}

/** Watches a load while it runs, and can end it. */
export interface LoadWatch {
  /** Ends the load at once: requests in transit are dropped, and count as lost. */
  readonly signal: AbortSignal
  /** Whether an abort still awaits answers in transit: for a load that must lose none, such as a day's. */
  readonly abortsInOrder?: () => boolean
  readonly ear?: LoadEar
  readonly event?: LoadEvent
  /** What any load last did to the target on purpose: its failures are tolerated until it answers again. */
  readonly disturbance?: () => Disturbance | undefined
  /** Called twice with each row: just before its request is sent, and when its answer was read. */
  readonly onRow?: (row: LedgerRow) => void
}

/** A load: one request, sent many times. If a row's body is read, `onRow` and `stopWhen` get the row after that. */
export interface LoadSpec
  extends Pick<LoadOrder, 'connections' | 'amount' | 'timeoutMs'>,
    Partial<LoadReading>,
    Partial<LoadWatch> {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** When each is due; if absent, as soon as a connection is free. */
  readonly shape?: Shape
  /** The most sent within any second, or one more, even when catching up. Default: no ceiling. */
  readonly mostPerSecond?: number
  /** When its schedule begins, if several machines begin together, connected before. Default: once connected. */
  readonly beginAtMs?: number
  /** The longest time for connecting, TLS included. Default: 5 s. */
  readonly connectTimeoutMs?: number
  /** The longest time for the whole load. Default: what amount, shape and time-outs allow at most. */
  readonly timeLimitMs?: number
  readonly tls?: Trust
  /** Consecutive failures (no connection, no answer) that end the load. Default: twice the connections, at least 10. */
  readonly breaker?: { readonly failures: number }
  /** True for an answered row after which nothing more is sent; answers in transit are still awaited. */
  readonly stopWhen?: (row: LedgerRow) => boolean
  /** In percent: the load ends if more of its answers are 5xx, once there are 20 answers. */
  readonly mostServerErrorPercent?: number
  /** The address to connect to, instead of resolving the URL's host. Host and SNI stay the URL's. */
  readonly pinnedAddress?: string
  /** Removes secrets from a text; of one that `isCut`, also a beginning at its end. All kept text goes through it. */
  readonly redact: (text: string, isCut?: boolean) => string
  /** The same for a header, whose name may show that it holds no secret. Default: `redact` for both parts. */
  readonly redactHeader?: (line: HeaderLine) => HeaderLine
}

/** Why a load ended: `complete`, or what stopped it. */
export type LoadEnd = 'complete' | 'stop-when' | 'server-errors' | 'aborted' | 'breaker' | 'time-limit' | 'certificate'

/** The result of a load. sent = answered + errors + timeouts + lost; planned - sent were never sent. */
export interface LoadResult extends LedgerCounts {
  readonly rows: LedgerRows
  readonly samples: readonly LedgerSample[]
  readonly end: LoadEnd
  readonly problem: string | null
  /** Set if the breaker ended the load: how many consecutive failures, and the last one. */
  readonly breaker: { readonly failures: number; readonly last: string } | null
  /** Failed connection attempts. No request was sent on them. */
  readonly connectFailures: number
  /** How far from its due time each request was sent; null without a shape, or if nothing was sent. */
  readonly scheduleErrorMs: LedgerHead['scheduleErrorMs']
}

/** One machine's part of a load, with times on the run's clock. */
export interface LoadPart {
  readonly result: LoadResult
  /** The longest standstill of its process, in milliseconds. */
  readonly stoodStillMs: number
  /** Absent if this machine sent it. */
  readonly origin?: LedgerOrigin
}

/** No machine is left to send a load. */
export class NobodyToSend extends Error {}

/** Sends loads to the target: this machine, or others on its behalf. Rejects with {@link NobodyToSend}. */
export type Generator = (order: LoadOrder, watch: LoadWatch) => Promise<readonly LoadPart[]>

export const usualConnectTimeoutMs = 5000
/** Extra time for a load beyond its answers: to start, and to close its connections. */
const slackMs = 5000
/** A ledger numbers connections with 16 bits. */
const mostConnections = 65_535

export const refuseNonsense = ({ amount, connections, timeoutMs, headers, url, shape }: LoadSpec): void => {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new RangeError(`a load needs at least one request, not ${amount}`)
  if (!Number.isSafeInteger(connections) || connections < 1 || connections > mostConnections)
    throw new RangeError(`a load needs 1 to ${mostConnections} connections, not ${connections}`)
  if (shape && !(Number.isFinite(shape(0)) && Number.isFinite(shape(amount - 1))))
    throw new RangeError('the shape of a load must give each request a time')
  if (!(timeoutMs > 0)) throw new RangeError(`the timeout of a load must be above 0 ms, not ${timeoutMs}`)
  if (!/^https?:$/.test(new URL(url).protocol)) throw new RangeError('a load needs an http or https address')
  const broken = Object.entries(headers).find(([name, value]) => /[\r\n\0]/.test(name + value))
  if (broken) throw new RangeError(`the header ${JSON.stringify(broken[0])} contains a line break or a null character`)
}

/** The longest that a load may take, in milliseconds: every answer and body as late as allowed, and some slack. */
export const longestMs = (spec: LoadSpec): number => {
  const { shape, amount, connections, timeoutMs, connectTimeoutMs = usualConnectTimeoutMs } = spec
  const answersMs = shape ? shape(amount - 1) + 2 * timeoutMs : Math.ceil(amount / connections) * 2 * timeoutMs
  return connectTimeoutMs + slackMs + answersMs
}

/** What the sender of a load has itself, and no order contains: its target, its credential, its redactor. */
interface LoadMeans {
  readonly baseUrl: string
  readonly asked: Pick<ContractRequest, 'method' | 'path' | 'headers' | 'body'>
  readonly credential: RenderedCredential
  readonly reading: LoadReading
  readonly redactor: Pick<Redactor, 'body' | 'redact'>
  readonly tls?: LoadSpec['tls']
  readonly pinnedAddress?: string
}

export const loadSpecOf = (order: LoadOrder, means: LoadMeans, watch: LoadWatch): LoadSpec => {
  const { connections, amount, timeoutMs, connectTimeoutMs, mostServerErrorPercent } = order
  const { asked, credential, redactor, tls, pinnedAddress } = means
  const { statusOf } = means.reading
  const isOver = order.stop === null ? undefined : stopperOf(order.stop)
  return {
    ...watch,
    ...means.reading,
    url: `${means.baseUrl}${withQuery(asked.path, means.credential.query)}`,
    method: asked.method,
    headers: {
      ...Object.fromEntries(credential.headers),
      Accept: 'application/json',
      'Accept-Encoding': acceptedCodings,
      ...asked.headers,
    },
    body: asked.body,
    tls,
    pinnedAddress,
    redact: redactor.body,
    redactHeader: (line) => redactHeader(line, redactor),
    connections,
    amount,
    shape: scheduleShape(order.schedule, amount),
    mostPerSecond: scheduleCeiling(order.schedule),
    // The stop rule sees rows with the contract's statuses.
    stopWhen: isOver && ((row) => isOver({ ...row, status: statusOf(row) })),
    timeoutMs,
    connectTimeoutMs: connectTimeoutMs ?? undefined,
    mostServerErrorPercent,
  }
}
