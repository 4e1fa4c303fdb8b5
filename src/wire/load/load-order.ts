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
import type { Trust } from '../http/trust.js'
import { type Shape, schedule, scheduleCeiling, scheduleShape } from './schedule.js'
import { stopperOf, stopRule } from './stop-rule.js'

/** A load as data: all that its sender has to be told, by names and without a secret. Address and keys are its own. */
export const loadOrder = z.strictObject({
  id: z.string().regex(/^[\w-]{1,100}$/),
  probe: z.string(),
  key: z.string(),
  /** The request by its name in the contract file; null for the list of the bundled contract. */
  request: z.string().nullable(),
  /** The quota of the contract file by which answers are read. */
  quota: z.string().nullable(),
  connections: z.int().min(1).max(65_535),
  amount: z.int().min(1).max(50_000_000),
  /** When each request is due; null: as soon as a connection is free. */
  schedule: schedule.nullable(),
  stop: stopRule.nullable(),
  /** The most that an answer's head may take. */
  timeoutMs: z.number().positive(),
  connectTimeoutMs: z.number().positive().nullable(),
  mostServerErrorPercent: z.number().min(0).max(100),
  /** Whether all machines at hand are to share it. */
  isSpread: z.boolean(),
})
export type LoadOrder = z.infer<typeof loadOrder>

/** Follows whether the target answers at all. Times are milliseconds on the load's clock. */
export interface LoadEar {
  /** A request goes out; or, told later, a connection was asked for then, and failed. */
  asked(at: number): void
  answered(at: number): void
  /** What was asked came to nothing: no connection, no answer, or only a part of one. */
  failed(at: number): void
}

/** Something that happens to the target on purpose. Times are milliseconds on the load's clock. */
export interface Disturbance {
  readonly fromMs: number
  /** Infinity while it goes on. */
  readonly endedMs: number
}

interface LoadEvent {
  /** How many requests go out before it. */
  readonly after: number
  /** Whether the load waits for it, after all that is under way: else it keeps to its schedule meanwhile. */
  readonly standsStill: boolean
  /** Makes it happen. Resolves when it is over; never rejects. */
  happen(sent: number): Promise<void>
}

/** Who follows a load while it is under way, and ends it. */
export interface LoadWatch {
  /** Ends the load at once: requests under way are dropped, and count as lost. */
  readonly signal: AbortSignal
  /** Whether answers under way are awaited when `signal` aborts: for a load of which none is to be lost, as a day's. */
  readonly abortsInOrder?: () => boolean
  /** Told of each request that goes out, and of what becomes of it. */
  readonly ear?: LoadEar
  readonly event?: LoadEvent
  /** What was last done to the target on purpose, by whichever load: its failures until it answers again are borne. */
  readonly disturbance?: () => Disturbance | undefined
  /** Called twice with each row: just before its request goes out, and when its answer was read. */
  readonly onRow?: (row: LedgerRow) => void
}

/** A load: one request, sent many times. A row whose body is read is told to `onRow` and `stopWhen` after that. */
export interface LoadSpec extends Partial<LoadReading>, Partial<LoadWatch> {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly connections: number
  /** How many requests are sent: exactly so many, unless the load ends early. */
  readonly amount: number
  /** When each is due; where absent, each goes out as soon as a connection is free. */
  readonly shape?: Shape
  /** The most that go out within any second, but for one, also where the load catches up. Default: no ceiling. */
  readonly mostPerSecond?: number
  /**
   * The moment of the load's clock at which its schedule begins, for a load that several machines begin together; its
   * connections are made before. Default: when they are made.
   */
  readonly beginAtMs?: number
  /** The most that an answer's head may take; its body may take as long again. */
  readonly timeoutMs: number
  /** The most that connecting may take, TLS included. Default: 5 s. */
  readonly connectTimeoutMs?: number
  /** The most that the whole load may take. Default: what amount, shape and time-outs allow at most. */
  readonly timeLimitMs?: number
  readonly tls?: Trust
  /** Failures in a row (no connection, no answer) that end the load. Default: twice the connections, at least 10. */
  readonly breaker?: { readonly failures: number }
  /** True for an answered row after which nothing more is sent; answers under way are still awaited. */
  readonly stopWhen?: (row: LedgerRow) => boolean
  /** In percent: the load ends where more of its answers are 5xx, once there are 20 answers. */
  readonly mostServerErrorPercent?: number
  /** The address to connect to, in place of asking what the URL's host resolves to. Host and SNI stay the URL's. */
  readonly pinnedAddress?: string
  /**
   * Takes the secrets out of a text; where the text `isCut`, also what may be the beginning of one at its end. Every
   * text of a response that is kept goes through it.
   */
  readonly redact: (text: string, isCut?: boolean) => string
  /** The same for a header, which may show by its name that it holds no secret. Default: `redact` for both parts. */
  readonly redactHeader?: (line: HeaderLine) => HeaderLine
}

/** Why a load ended: `complete`, or what stopped it. */
export type LoadEnd = 'complete' | 'stop-when' | 'server-errors' | 'aborted' | 'breaker' | 'time-limit' | 'certificate'

/** What came of a load. sent = answered + errors + timeouts + lost; planned - sent were never sent. */
export interface LoadResult extends LedgerCounts {
  readonly rows: LedgerRows
  readonly samples: readonly LedgerSample[]
  readonly end: LoadEnd
  /** What stopped it, as a sentence; null for `complete` and `stop-when`. */
  readonly problem: string | null
  /** Set where the breaker ended the load: how many failures in a row, and what the last one was. */
  readonly breaker: { readonly failures: number; readonly last: string } | null
  /** Connections that could not be made. No request was sent on them. */
  readonly connectFailures: number
  /** How far after its due time each request was sent; null without a shape, or where nothing was sent. */
  readonly scheduleErrorMs: LedgerHead['scheduleErrorMs']
}

/** What one machine sent of a load, its times on the run's clock. */
export interface LoadPart {
  readonly result: LoadResult
  /** For how long its process stood still at most, in milliseconds. */
  readonly stoodStillMs: number
  /** Absent where this machine sent it. */
  readonly origin?: LedgerOrigin
}

/** No machine is left that could send a load. */
export class NobodyToSend extends Error {}

/** Whatever puts loads on the target: this machine, or others on its behalf. Rejects with {@link NobodyToSend}. */
export type Generator = (order: LoadOrder, watch: LoadWatch) => Promise<readonly LoadPart[]>

/** The most that connecting may take unless the spec says otherwise. */
export const usualConnectTimeoutMs = 5000
/** What a load may take beside its answers: to start, and to end its connections. */
const slackMs = 5000
/** A ledger numbers connections with 16 bits. */
const mostConnections = 65_535

/** Throws where no load can be made of the spec. */
export const refuseNonsense = ({ amount, connections, timeoutMs, headers, url, shape }: LoadSpec): void => {
  if (!Number.isSafeInteger(amount) || amount < 1) throw new RangeError(`a load of ${amount} requests`)
  if (!Number.isSafeInteger(connections) || connections < 1 || connections > mostConnections) {
    throw new RangeError(`a load over ${connections} connections`)
  }
  if (shape && !(Number.isFinite(shape(0)) && Number.isFinite(shape(amount - 1)))) {
    throw new RangeError('a load whose shape names no time')
  }
  if (!(timeoutMs > 0)) throw new RangeError(`a load with a timeout of ${timeoutMs} ms`)
  if (!/^https?:$/.test(new URL(url).protocol)) throw new RangeError('a load needs an http or https address')
  const broken = Object.entries(headers).find(([name, value]) => /[\r\n\0]/.test(name + value))
  if (broken) throw new RangeError(`the header ${JSON.stringify(broken[0])} holds a line break`)
}

/** What a load may take at most, in milliseconds: every answer and body as late as allowed, and a little more. */
export const longestMs = (spec: LoadSpec): number => {
  const { shape, amount, connections, timeoutMs, connectTimeoutMs = usualConnectTimeoutMs } = spec
  const answersMs = shape ? shape(amount - 1) + 2 * timeoutMs : Math.ceil(amount / connections) * 2 * timeoutMs
  return connectTimeoutMs + slackMs + answersMs
}

/** What the sender of a load has of its own, and no order brings along: its target, its credential, its redactor. */
interface LoadMeans {
  readonly baseUrl: string
  readonly asked: Pick<ContractRequest, 'method' | 'path' | 'headers' | 'body'>
  readonly credential: { readonly headers: readonly HeaderLine[]; readonly query: string }
  readonly reading: LoadReading
  readonly redactor: Pick<Redactor, 'body' | 'redact'>
  readonly tls?: LoadSpec['tls']
  readonly pinnedAddress?: string
}

const addressOf = ({ baseUrl, asked: { path }, credential: { query } }: LoadMeans): string => {
  const joint = query === '' ? '' : path.includes('?') ? '&' : '?'
  return `${baseUrl}${path}${joint}${query}`
}

/** The load that an order asks for, with the means of whoever sends it. */
export const loadSpecOf = (order: LoadOrder, means: LoadMeans, watch: LoadWatch): LoadSpec => {
  const { connections, amount, timeoutMs, connectTimeoutMs, mostServerErrorPercent } = order
  const { asked, credential, redactor, tls, pinnedAddress } = means
  const { statusOf } = means.reading
  const isOver = order.stop === null ? undefined : stopperOf(order.stop)
  return {
    ...watch,
    ...means.reading,
    url: addressOf(means),
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
    // Whether to stop is asked of rows as the contract reads them.
    stopWhen: isOver && ((row) => isOver({ ...row, status: statusOf(row) })),
    timeoutMs,
    connectTimeoutMs: connectTimeoutMs ?? undefined,
    mostServerErrorPercent,
  }
}
