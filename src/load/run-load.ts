import { countRows, LedgerWriter, ledgerFlags, ledgerRow } from '../evidence/ledger.js'
import type { Clock } from '../kit/clock.js'
import { type Connection, type ConnectionListener, type ResponseHead, startDriver } from './autocannon-driver.js'
import { scheduleErrorMs } from './latency.js'
import type { LoadEnd, LoadResult, LoadSpec } from './load-spec.js'
import { startPacer, timerAlarm } from './pacer.js'
import { keepAliveMs, recordLimits } from './response-head.js'
import { ResponseSamples, type SampleDraft } from './response-samples.js'

/** What the load knows of one connection. */
interface Line {
  readonly connection: Connection
  state: 'down' | 'connecting' | 'idle' | 'busy'
  /** The row under way; it has its head already where `answered`. */
  row: number
  answered: boolean
  /** Its first attempt to connect has come out, well or not. */
  tried: boolean
  sample: SampleDraft | undefined
  /** When what it does now has taken too long; when it began to be idle. Milliseconds on the clock. */
  deadlineMs: number
  idleSinceMs: number
  /** An older idle connection may be closing at this moment: it is replaced before it is used. */
  freshForMs: number
  failures: number
  retry: NodeJS.Timeout | undefined
}

const connectTimeoutMs = 5000
const slackMs = 5000
const longestRetryMs = 200
/** Node's own servers close after 5 s idle, and most others later. */
const usualFreshMs = 4000
const closingMarginMs = 1000

/**
 * Sends one request many times and keeps a row of each: when it was due, sent and answered, with what status and which
 * limits. Sends no request twice, whatever becomes of its connection. Always ends: at the latest at its time limit.
 *
 * Times in the rows count from `startedAtMonotonicMs` on `clock`. Rejects only where no load can be made of the spec.
 */
export const runLoad = async (spec: LoadSpec, clock: Clock, startedAtMonotonicMs: number): Promise<LoadResult> => {
  refuseNonsense(spec)
  return await new Load(spec, clock, startedAtMonotonicMs).run()
}

const refuseNonsense = ({ amount, connections, timeoutMs, headers, url, shape }: LoadSpec) => {
  if (!Number.isSafeInteger(amount) || amount < 1) throw new RangeError(`a load of ${amount} requests`)
  if (!Number.isSafeInteger(connections) || connections < 1 || connections > 65_535) {
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

class Load implements ConnectionListener {
  readonly #ledger: LedgerWriter
  readonly #samples = new ResponseSamples()
  readonly #lines: Line[] = []
  readonly #idle: Line[] = []
  readonly #mostFailures: number
  readonly #limitMs: number
  readonly #finished: () => void
  readonly #whenFinished: Promise<void>
  #stopPacer = () => {}
  /** Connections whose first attempt is still open: the load begins when there are none. */
  #opening = 0
  #begunMs = Number.NaN
  #due = 0
  #busy = 0
  #failures = 0
  #connectFailures = 0
  #end: LoadEnd | undefined
  #problem: string | null = null
  #lastFailure = ''
  #thrown: { readonly error: unknown } | undefined

  constructor(
    readonly spec: LoadSpec,
    readonly clock: Clock,
    readonly originMs: number,
  ) {
    this.#ledger = new LedgerWriter(spec.amount)
    this.#mostFailures = spec.breaker?.failures ?? Math.max(10, 2 * spec.connections)
    this.#limitMs = clock.monotonicMs() + (spec.timeLimitMs ?? longestMs(spec))
    const { promise, resolve } = withResolvers()
    this.#whenFinished = promise
    this.#finished = resolve
  }

  async run(): Promise<LoadResult> {
    const { signal, timeoutMs } = this.spec
    if (signal?.aborted) return this.#result('aborted', 'it was called off before it began')
    const onAbort = () => this.#stop('aborted', 'it was called off')
    const driver = startDriver(this.spec, this)
    signal?.addEventListener('abort', onAbort)
    const sweep = setInterval(() => this.#sweep(), Math.min(100, Math.max(5, timeoutMs / 20)))
    try {
      this.#opening = driver.connections.length
      for (const connection of driver.connections) this.#lines[connection.id] = newLine(connection)
      for (const line of this.#lines) this.#connect(line)
      if (driver.connections.length === 0) this.#finished()
      await this.#whenFinished
    } finally {
      clearInterval(sweep)
      signal?.removeEventListener('abort', onAbort)
      this.#stopPacer()
      for (const line of this.#lines) clearTimeout(line.retry)
      await driver.stop()
    }
    if (this.#thrown) throw this.#thrown.error
    return this.#result(this.#end ?? 'complete', this.#problem)
  }

  ready({ id }: Connection): void {
    const line = this.#lines[id]
    this.#rest(line, usualFreshMs)
    this.#opened(line)
    this.#pump()
  }

  unconnected({ id }: Connection, detail: string): void {
    const line = this.#lines[id]
    this.#connectFailures++
    this.#fell(line)
    this.#failed(line, detail)
    this.#opened(line)
  }

  untrusted({ id }: Connection, detail: string): void {
    this.#fell(this.#lines[id])
    this.#stop('certificate', `the target's certificate does not hold (${detail}): nothing more was sent`)
  }

  head({ id }: Connection, head: ResponseHead): void {
    const now = this.clock.monotonicMs()
    const line = this.#lines[id]
    const { columns } = this.#ledger
    columns.receivedUs[line.row] = (now - this.originMs) * 1000
    columns.status[line.row] = head.statusCode
    recordLimits(this.#ledger, line.row, head.headers)
    line.answered = true
    line.deadlineMs = now + this.spec.timeoutMs
    line.sample = this.#samples.begin(line.row, head)
    if (line.freshForMs === usualFreshMs) {
      line.freshForMs = Math.min(
        usualFreshMs,
        (keepAliveMs(head.headers) ?? Number.POSITIVE_INFINITY) - closingMarginMs,
      )
    }
    line.failures = 0
    this.#failures = 0
    if (this.spec.stopWhen) this.#askWhetherToStop(line.row)
  }

  body({ id }: Connection, bytes: Buffer): void {
    const { sample } = this.#lines[id]
    if (sample) ResponseSamples.add(sample, bytes)
  }

  answered({ id }: Connection, open: boolean): void {
    const line = this.#lines[id]
    this.#over(line)
    if (open) this.#rest(line, line.freshForMs)
    else {
      this.#ledger.columns.flags[line.row] |= ledgerFlags.closedAfter
      this.#fell(line)
      this.#reopen(line)
    }
    this.#pump()
  }

  unanswered({ id }: Connection, failed: boolean, detail: string): void {
    const line = this.#lines[id]
    this.#ledger.columns.flags[line.row] |= failed ? ledgerFlags.failed : ledgerFlags.lost
    this.#over(line)
    this.#fell(line)
    this.#failed(line, detail)
  }

  bodyCut({ id }: Connection): void {
    const line = this.#lines[id]
    this.#ledger.columns.flags[line.row] |= ledgerFlags.bodyCut
    this.#over(line)
    this.#fell(line)
    this.#reopen(line)
    this.#pump()
  }

  closedIdle({ id }: Connection): void {
    this.#fell(this.#lines[id])
    this.#pump()
  }

  /** Counts the first attempts; with the last of them the load begins, on all connections at once. */
  #opened(line: Line): void {
    if (line.tried) return
    line.tried = true
    if (--this.#opening > 0 || this.#end) return
    this.#begunMs = this.clock.monotonicMs()
    const { shape, amount } = this.spec
    if (!shape) {
      this.#due = amount
      this.#pump()
      return
    }
    this.#stopPacer = startPacer({
      shape,
      amount,
      startMs: this.#begunMs,
      alarm: timerAlarm(() => this.clock.monotonicMs()),
      release: (due) => {
        this.#due = due
        this.#pump()
      },
      soon: (due) => this.#freshen(due),
    })
  }

  /** Sends all that is due over the idle connections; opens others where they do not suffice. */
  #pump(): void {
    while (this.#ledger.length < this.#due && !this.#end) {
      const line = this.#idle.pop()
      if (!line) break
      if (this.#isStale(line, 0)) this.#renew(line)
      else this.#send(line)
    }
    if (this.#end || this.#ledger.length >= this.#due) {
      this.#finishIfDone()
      return
    }
    this.#open(this.#due - this.#ledger.length)
  }

  #send(line: Line): void {
    const { shape, timeoutMs } = this.spec
    const n = this.#ledger.length
    const plannedUs = shape ? (this.#begunMs + shape(n) - this.originMs) * 1000 : Number.NaN
    line.state = 'busy'
    line.answered = false
    this.#busy++
    const now = this.clock.monotonicMs()
    line.deadlineMs = now + timeoutMs
    line.row = this.#ledger.append(plannedUs, (now - this.originMs) * 1000, line.connection.id)
    line.connection.send()
  }

  #connect(line: Line): void {
    line.retry = undefined
    line.state = 'connecting'
    line.deadlineMs = this.clock.monotonicMs() + (this.spec.connectTimeoutMs ?? connectTimeoutMs)
    line.connection.connect()
  }

  /** Opens a connection again, unless those that are open suffice for what is left to send. */
  #reopen(line: Line): void {
    if (this.#end || line.state !== 'down' || line.retry) return
    if (this.#spare() >= this.spec.amount - this.#ledger.length) return
    if (line.failures === 0) this.#connect(line)
    // A target that will not have us is not asked in a tight loop.
    else line.retry = setTimeout(() => this.#connect(line), Math.min(longestRetryMs, 5 * 2 ** line.failures))
  }

  /** Opens connections until so many are idle, or soon will be. */
  #open(wanted: number): void {
    let missing = wanted - this.#spare()
    for (const line of this.#lines) {
      if (missing <= 0) return
      if (line.state !== 'down' || line.retry) continue
      this.#reopen(line)
      missing--
    }
  }

  #spare(): number {
    let spare = 0
    for (const { state, retry } of this.#lines) if (state === 'idle' || state === 'connecting' || retry) spare++
    return spare
  }

  #rest(line: Line, freshForMs: number): void {
    line.state = 'idle'
    line.freshForMs = freshForMs
    line.idleSinceMs = this.clock.monotonicMs()
    // The one used last is used next: the longer one has been idle, the likelier it is being closed right now.
    this.#idle.push(line)
  }

  #isStale(line: Line, aheadMs: number): boolean {
    return this.clock.monotonicMs() + aheadMs - line.idleSinceMs > Math.max(line.freshForMs, 1)
  }

  #renew(line: Line): void {
    line.connection.drop()
    this.#connect(line)
  }

  /** Sees to the connections shortly before they are needed, so that connecting does not make a request late. */
  #freshen(due: number): void {
    for (const line of this.#idle.filter((each) => this.#isStale(each, closingMarginMs))) {
      this.#fell(line)
      line.connection.drop()
    }
    this.#open(due - this.#ledger.length)
  }

  #over(line: Line): void {
    this.#busy--
    line.sample = undefined
  }

  #fell(line: Line): void {
    const at = this.#idle.indexOf(line)
    if (at >= 0) this.#idle.splice(at, 1)
    line.state = 'down'
    line.freshForMs = usualFreshMs
  }

  #failed(line: Line, detail: string): void {
    line.failures++
    this.#failures++
    this.#lastFailure = detail
    if (this.#failures >= this.#mostFailures) {
      this.#stop('breaker', `${this.#failures} failures in a row, the last: ${detail}`)
      return
    }
    this.#reopen(line)
    this.#pump()
  }

  #sweep(): void {
    const now = this.clock.monotonicMs()
    if (now >= this.#limitMs) this.#stop('time-limit', 'its time limit was reached')
    for (const line of this.#lines) {
      if (this.#end && this.#end !== 'stop-when') return
      if (line.state === 'idle' || line.state === 'down' || now < line.deadlineMs) continue
      line.connection.drop()
      if (line.state === 'connecting') this.unconnected(line.connection, 'connecting took too long')
      else if (line.answered) this.bodyCut(line.connection)
      else this.#timedOut(line)
    }
  }

  #timedOut(line: Line): void {
    this.#ledger.columns.flags[line.row] |= ledgerFlags.timedOut
    this.#over(line)
    this.#fell(line)
    this.#failed(line, `no answer within ${this.spec.timeoutMs} ms`)
  }

  #askWhetherToStop(row: number): void {
    try {
      if (this.#end || !this.spec.stopWhen?.(ledgerRow(this.#ledger.columns, row))) return
      this.#end = 'stop-when'
      this.#stopPacer()
    } catch (error) {
      this.#thrown = { error }
      this.#stop('aborted', 'the question whether to stop failed')
    }
  }

  /** Ends the load now. What is under way is dropped: sent, and its outcome unknown. */
  #stop(end: LoadEnd, problem: string): void {
    if (this.#end && this.#end !== 'stop-when') return
    this.#end = end
    this.#problem = problem
    const { flags } = this.#ledger.columns
    for (const line of this.#lines) {
      if (line.state === 'busy') flags[line.row] |= line.answered ? ledgerFlags.bodyCut : ledgerFlags.lost
      line.connection.drop()
    }
    this.#busy = 0
    this.#finished()
  }

  #finishIfDone(): void {
    if (this.#busy === 0 && (this.#end || this.#ledger.length === this.spec.amount)) this.#finished()
  }

  #result(end: LoadEnd, problem: string | null): LoadResult {
    const rows = this.#ledger.rows()
    return {
      ...countRows(rows, this.spec.amount),
      rows,
      samples: this.#samples.finish(this.spec.redact),
      end,
      problem,
      breaker: end === 'breaker' ? { failures: this.#failures, last: this.#lastFailure } : null,
      connectFailures: this.#connectFailures,
      scheduleErrorMs: scheduleErrorMs(rows),
    }
  }
}

const newLine = (connection: Connection): Line => ({
  connection,
  state: 'down',
  row: -1,
  answered: false,
  tried: false,
  sample: undefined,
  deadlineMs: 0,
  idleSinceMs: 0,
  freshForMs: usualFreshMs,
  failures: 0,
  retry: undefined,
})

/** What a load may take at most: every answer and body as late as allowed, and a little more. */
const longestMs = ({ shape, amount, connections, timeoutMs, connectTimeoutMs: connect = connectTimeoutMs }: LoadSpec) =>
  connect + slackMs + (shape ? shape(amount - 1) + 2 * timeoutMs : Math.ceil(amount / connections) * 2 * timeoutMs)

const withResolvers = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
