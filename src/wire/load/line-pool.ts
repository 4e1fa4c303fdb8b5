import type { Clock } from '../../kit/clock.js'
import type { SampleDraft, WatchedBody } from './answers.js'
import type { Connection } from './autocannon-driver.js'

/** How long the target keeps an idle connection, in ms, if its `Keep-Alive: timeout=` says so. */
export const keepAliveMs = (raw: readonly string[]): number | undefined => {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at].length !== 10 || raw[at].toLowerCase() !== 'keep-alive') continue
    const seconds = /(?:^|[,;\s])timeout=(\d{1,6})(?:$|[,;\s])/i.exec(raw[at + 1])?.[1]
    return seconds === undefined ? undefined : Number(seconds) * 1000
  }
  return undefined
}

/** The first wait before reconnecting after a failure, which doubles each time, and the longest. */
const firstRetryMs = 5
const longestRetryMs = 200
/** Node's own servers close a connection after 5 s idle, most others later. */
const usualFreshMs = 4000
/** A connection is no longer used from this long before the target may close it. */
const closingMarginMs = 1000

const newLine = (connection: Connection) => ({
  connection,
  state: 'down' as 'down' | 'connecting' | 'idle' | 'busy',
  /** The row of the request in transit; `answered` once the head of its answer has come. */
  row: -1,
  answered: false,
  /** Whether its first attempt to connect has ended, well or not. */
  tried: false,
  sample: undefined as SampleDraft | undefined,
  /** The body of the current answer, if it decides what the answer was. */
  body: undefined as WatchedBody | undefined,
  deadlineMs: 0,
  connectingSinceMs: 0,
  idleSinceMs: 0,
  /** After being idle longer than this, the target may be closing it: it is replaced before use. */
  freshForMs: usualFreshMs,
  failures: 0,
  retry: undefined as NodeJS.Timeout | undefined,
})

/** What the load knows about one of its connections. Times are milliseconds on the load's clock. */
export type Line = ReturnType<typeof newLine>

/** The connections of a load: which are ready for a request, and when the others are reopened. */
export class LinePool {
  readonly lines: readonly Line[]
  readonly #idle: Line[] = []
  #closed = false

  /** `left` returns how many requests are still to be sent; no more connections than that are opened. */
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

  take(): Line | undefined {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      if (!this.#isStale(line, 0)) return line
      line.connection.drop()
      this.connect(line)
    }
    return undefined
  }

  /** Takes back an idle connection. The last one used is used next, since one that is idle for long may be closed any time. */
  rest(line: Line): void {
    line.state = 'idle'
    line.idleSinceMs = this.clock.monotonicMs()
    this.#idle.push(line)
  }

  keptFor(line: Line, keepAliveMs: number | undefined): void {
    if (keepAliveMs !== undefined) line.freshForMs = Math.min(usualFreshMs, keepAliveMs - closingMarginMs)
  }

  fell(line: Line): void {
    const at = this.#idle.indexOf(line)
    if (at >= 0) this.#idle.splice(at, 1)
    line.state = 'down'
    line.freshForMs = usualFreshMs
  }

  /** Reopens a connection, unless the open ones are enough for what is left to send. */
  reopen(line: Line): void {
    if (this.#closed || line.state !== 'down' || line.retry || this.#spare() >= this.left()) return
    if (line.failures === 0) this.connect(line)
    // Never retry in a tight loop against a target that refuses connections.
    else line.retry = setTimeout(() => this.connect(line), Math.min(longestRetryMs, firstRetryMs * 2 ** line.failures))
  }

  open(wanted: number): void {
    let missing = wanted - this.#spare()
    for (const line of this.lines) {
      if (missing <= 0) return
      if (line.state !== 'down' || line.retry) continue
      this.reopen(line)
      missing--
    }
  }

  /** Makes `wanted` connections ready ahead of time, so that connecting makes no request late. */
  freshen(wanted: number): void {
    for (const line of this.#idle.filter((each) => this.#isStale(each, closingMarginMs))) {
      this.fell(line)
      line.connection.drop()
    }
    this.open(wanted)
  }

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
