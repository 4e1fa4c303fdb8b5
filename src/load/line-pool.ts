import type { Clock } from '../kit/clock.js'
import type { Connection } from './autocannon-driver.js'
import type { SampleDraft } from './response-samples.js'

/** What the load knows of one of its connections. Times are milliseconds on the load's clock. */
export interface Line {
  readonly connection: Connection
  state: 'down' | 'connecting' | 'idle' | 'busy'
  /** The row under way; it has its head already where `answered`. */
  row: number
  answered: boolean
  /** Its first attempt to connect has come out, well or not. */
  tried: boolean
  sample: SampleDraft | undefined
  /** When what it does now has taken too long. */
  deadlineMs: number
  connectingSinceMs: number
  idleSinceMs: number
  /** Idle for longer, the target may be closing it at this moment: it is replaced before it is used. */
  freshForMs: number
  /** Without an answer, in a row. */
  failures: number
  retry: NodeJS.Timeout | undefined
}

const longestRetryMs = 200
/** Node's own servers close after 5 s idle, and most others later. */
const usualFreshMs = 4000
const closingMarginMs = 1000

const newLine = (connection: Connection): Line => ({
  connection,
  state: 'down',
  row: -1,
  answered: false,
  tried: false,
  sample: undefined,
  deadlineMs: 0,
  connectingSinceMs: 0,
  idleSinceMs: 0,
  freshForMs: usualFreshMs,
  failures: 0,
  retry: undefined,
})

/** The connections of a load: which of them can be written to, and when the others are opened again. */
export class LinePool {
  readonly lines: readonly Line[]
  readonly #idle: Line[] = []
  #closed = false

  /** `left` says how many requests are still to be sent: more connections than that are not opened. */
  constructor(
    connections: readonly Connection[],
    readonly clock: Clock,
    readonly connectTimeoutMs: number,
    readonly left: () => number,
  ) {
    this.lines = connections.map(newLine)
  }

  connect(line: Line): void {
    line.retry = undefined
    line.state = 'connecting'
    line.connectingSinceMs = this.clock.monotonicMs()
    line.deadlineMs = line.connectingSinceMs + this.connectTimeoutMs
    line.connection.connect()
  }

  /** A connection to write to now, if there is one. */
  take(): Line | undefined {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      if (!this.#isStale(line, 0)) return line
      line.connection.drop()
      this.connect(line)
    }
    return undefined
  }

  /** Has nothing to do. The one used last is used next: the longer idle, the likelier it is being closed right now. */
  rest(line: Line): void {
    line.state = 'idle'
    line.idleSinceMs = this.clock.monotonicMs()
    this.#idle.push(line)
  }

  /** The target keeps this connection for so long when idle, as it said; undefined where it did not say. */
  keptFor(line: Line, keepAliveMs: number | undefined): void {
    if (keepAliveMs !== undefined) line.freshForMs = Math.min(usualFreshMs, keepAliveMs - closingMarginMs)
  }

  /** Its connection has ended. */
  fell(line: Line): void {
    const at = this.#idle.indexOf(line)
    if (at >= 0) this.#idle.splice(at, 1)
    line.state = 'down'
    line.freshForMs = usualFreshMs
  }

  /** Opens a connection again, unless those that are open suffice for what is left to send. */
  reopen(line: Line): void {
    if (this.#closed || line.state !== 'down' || line.retry || this.#spare() >= this.left()) return
    if (line.failures === 0) this.connect(line)
    // A target that will not have us is not asked in a tight loop.
    else line.retry = setTimeout(() => this.connect(line), Math.min(longestRetryMs, 5 * 2 ** line.failures))
  }

  /** Opens connections until so many are idle, or soon will be. */
  open(wanted: number): void {
    let missing = wanted - this.#spare()
    for (const line of this.lines) {
      if (missing <= 0) return
      if (line.state !== 'down' || line.retry) continue
      this.reopen(line)
      missing--
    }
  }

  /** Sees to it that so many can be written to in a moment, so that connecting does not make a request late. */
  freshen(wanted: number): void {
    for (const line of this.#idle.filter((each) => this.#isStale(each, closingMarginMs))) {
      this.fell(line)
      line.connection.drop()
    }
    this.open(wanted)
  }

  /** Opens nothing from now on. */
  close(): void {
    this.#closed = true
    for (const line of this.lines) clearTimeout(line.retry)
  }

  #spare(): number {
    let spare = 0
    for (const { state, retry } of this.lines) if (state === 'idle' || state === 'connecting' || retry) spare++
    return spare
  }

  #isStale(line: Line, aheadMs: number): boolean {
    return this.clock.monotonicMs() + aheadMs - line.idleSinceMs > Math.max(line.freshForMs, 1)
  }
}
