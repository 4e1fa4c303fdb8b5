import type { HeaderLine } from '../../evidence/exchange.js'
import type { LedgerCounts, LedgerRow, LedgerRows, LedgerSample, RowReader } from '../../evidence/ledger.js'
import type { Shape } from './schedule.js'

/** Follows whether the target answers at all. Times are milliseconds on the load's clock. */
export interface LoadEar {
  /** A request goes out; or, told later, a connection was asked for then, and failed. */
  asked(at: number): void
  /** An answer has come to its end. */
  answered(at: number): void
  /** What was asked came to nothing: no connection, no answer, or only a part of one. */
  failed(at: number): void
}

/** A load: one request, sent many times. A row whose body is read is told to `onRow` and `stopWhen` after that. */
export interface LoadSpec extends Partial<RowReader> {
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
  /** Ends the load at once: requests under way are dropped, and count as lost. */
  readonly signal?: AbortSignal
  /** Whether answers under way are awaited when `signal` aborts: for a load of which none is to be lost, as a day's. */
  readonly abortsInOrder?: () => boolean
  readonly tls?: {
    /** Certificates to trust besides the system's, as PEM. */
    readonly ca?: string
    /** Sends to whoever answers, whatever its certificate. */
    readonly insecure?: boolean
  }
  /** Failures in a row (no connection, no answer) that end the load. Default: twice the connections, at least 10. */
  readonly breaker?: { readonly failures: number }
  /** True for an answered row after which nothing more is sent; answers under way are still awaited. */
  readonly stopWhen?: (row: LedgerRow) => boolean
  /** Called twice with each row: just before its request goes out, and when its answer was read. */
  readonly onRow?: (row: LedgerRow) => void
  /** Told of each request that goes out, and of what becomes of it. */
  readonly ear?: LoadEar
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
  readonly scheduleErrorMs: { readonly p50: number; readonly p99: number; readonly max: number } | null
}
