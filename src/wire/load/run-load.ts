import { countRows, LedgerWriter, ledgerFlags, ledgerRow } from '../../evidence/ledger.js'
import type { Clock } from '../../kit/clock.js'
import { latch } from '../../kit/deadline.js'
import { BodyWatch, gather, ResponseSamples } from './answers.js'
import { type Connection, type ConnectionListener, type ResponseHead, startDriver } from './autocannon-driver.js'
import { scheduleErrorMs } from './latency.js'
import { keepAliveMs, type Line, LinePool } from './line-pool.js'
import {
  type LoadEnd,
  type LoadResult,
  type LoadSpec,
  longestMs,
  refuseNonsense,
  usualConnectTimeoutMs,
} from './load-order.js'
import { Pace, timerAlarm } from './pacer.js'
import { Borne, TargetHealth } from './target-health.js'

/**
 * Sends one request many times and records a row for each: when it was due, sent and answered, its status and its limits.
 * Never sends a request twice, whatever happens to its connection. Always ends, at the latest at its time limit.
 *
 * Times in the rows count from `startedAtMonotonicMs` on `clock`. Rejects only if the spec allows no load.
 */
export const runLoad = async (spec: LoadSpec, clock: Clock, startedAtMonotonicMs: number): Promise<LoadResult> => {
  refuseNonsense(spec)
  return await new Load(spec, clock, startedAtMonotonicMs).run()
}

/** How often time-outs are checked: a twentieth of one, within 5 to 100 ms. */
const sweepMsFor = (timeoutMs: number): number => Math.min(100, Math.max(5, timeoutMs / 20))

class Load implements ConnectionListener {
  readonly #ledger: LedgerWriter
  readonly #samples = new ResponseSamples()
  readonly #bodies: BodyWatch
  #pool: LinePool
  readonly #health: TargetHealth
  readonly #limitMs: number
  readonly #finished: () => void
  readonly #whenFinished: Promise<void>
  readonly #pace: Pace
  /** Connections whose first attempt is still pending: the load begins when there are none. */
  #opening = 0
  #busy = 0
  #connectFailures = 0
  #end: LoadEnd | undefined
  #inOrder = false
  #problem: string | null = null
  #event: 'under way' | 'over' | undefined
  readonly #borne: Borne
  #thrown: { readonly error: unknown } | undefined

  constructor(
    readonly spec: LoadSpec,
    readonly clock: Clock,
    readonly originMs: number,
  ) {
    this.#ledger = new LedgerWriter(spec.amount)
    const alarm = timerAlarm(() => clock.monotonicMs())
    this.#pace = new Pace(spec, alarm, {
      send: () => this.#pump(),
      soon: (due) => this.#pool.freshen(due - this.#ledger.length),
    })
    this.#bodies = new BodyWatch(this.#ledger, spec.readBody, (row) => this.#answerRead(row))
    this.#health = new TargetHealth(spec)
    this.#borne = new Borne(spec.disturbance)
    this.#limitMs = Math.max(clock.monotonicMs(), spec.beginAtMs ?? 0) + (spec.timeLimitMs ?? longestMs(spec))
    const { opened: promise, open: resolve } = latch()
    this.#whenFinished = promise
    this.#finished = resolve
    this.#pool = this.#poolOf([])
  }

  async run(): Promise<LoadResult> {
    const { signal, timeoutMs } = this.spec
    if (signal?.aborted) return this.#result('aborted', 'it was cancelled before it began')
    const onAbort = () => this.#callOff()
    const driver = startDriver(this.spec, this)
    signal?.addEventListener('abort', onAbort)
    const sweep = setInterval(() => this.#sweep(), sweepMsFor(timeoutMs))
    try {
      this.#opening = driver.connections.length
      this.#pool = this.#poolOf(driver.connections)
      for (const line of this.#pool.lines) this.#pool.connect(line)
      if (driver.connections.length === 0) this.#finished()
      await this.#whenFinished
    } finally {
      clearInterval(sweep)
      signal?.removeEventListener('abort', onAbort)
      this.#pace.stop()
      this.#pool.close()
      await driver.stop()
      await this.#bodies.finish()
    }
    if (this.#thrown) throw this.#thrown.error
    return this.#result(this.#end ?? 'complete', this.#problem)
  }

  ready({ id }: Connection): void {
    const line = this.#pool.lines[id]
    this.#pool.rest(line)
    this.#opened(line)
    this.#pump()
  }

  unconnected({ id }: Connection, detail: string): void {
    const line = this.#pool.lines[id]
    this.#connectFailures++
    this.spec.ear?.asked(line.connectingSinceMs)
    this.spec.ear?.failed(this.clock.monotonicMs())
    this.#pool.fell(line)
    this.#failed(line, detail)
    this.#opened(line)
  }

  untrusted({ id }: Connection, detail: string): void {
    this.#pool.fell(this.#pool.lines[id])
    this.#stop('certificate', `the target's certificate is not trusted (${detail}): nothing more was sent`)
  }

  head({ id }: Connection, head: ResponseHead): void {
    const now = this.clock.monotonicMs()
    const line = this.#pool.lines[id]
    const { columns } = this.#ledger
    columns.receivedUs[line.row] = (now - this.originMs) * 1000
    columns.status[line.row] = head.statusCode
    this.spec.readHead?.(this.#ledger, line.row, head.headers)
    line.body = this.#bodies.begin(line.row, head.headers)
    line.answered = true
    line.deadlineMs = now + this.spec.timeoutMs
    line.sample = this.#samples.begin(line.row, head)
    this.#pool.keptFor(line, keepAliveMs(head.headers))
    line.failures = 0
    if (!line.body) this.#answerRead(line.row)
  }

  body({ id }: Connection, bytes: Buffer): void {
    const { sample, body } = this.#pool.lines[id]
    if (sample) gather(sample, bytes)
    if (body) gather(body, bytes)
  }

  answered({ id }: Connection, open: boolean): void {
    const line = this.#pool.lines[id]
    this.#over(line, 'answered')
    if (open) this.#pool.rest(line)
    else {
      this.#ledger.columns.flags[line.row] |= ledgerFlags.closedAfter
      this.#pool.fell(line)
      this.#pool.reopen(line)
    }
    this.#pump()
  }

  unanswered({ id }: Connection, failed: boolean, detail: string): void {
    const line = this.#pool.lines[id]
    this.#unanswered(line, failed ? ledgerFlags.failed : ledgerFlags.lost)
    this.#failed(line, detail)
  }

  bodyCut({ id }: Connection): void {
    const line = this.#pool.lines[id]
    this.#unanswered(line, ledgerFlags.bodyCut)
    this.#pool.reopen(line)
    this.#pump()
  }

  closedIdle({ id }: Connection): void {
    this.#pool.fell(this.#pool.lines[id])
    this.#pump()
  }

  #poolOf(connections: readonly Connection[]): LinePool {
    const { amount, connectTimeoutMs = usualConnectTimeoutMs } = this.spec
    return new LinePool(connections, this.clock, connectTimeoutMs, () => amount - this.#ledger.length)
  }

  /** Counts the first attempts to connect; after the last one the load begins, on all connections at once. */
  #opened(line: Line): void {
    if (line.tried) return
    line.tried = true
    if (--this.#opening > 0 || this.#end) return
    this.#pace.begin()
  }

  /** Sends everything due over the idle connections; opens others if these are too few. */
  #pump(): void {
    while (this.#ledger.length < this.#pace.due && !this.#end) {
      if (this.#standsStill() || this.#pace.holdsBack()) return
      const line = this.#pool.take()
      if (!line) break
      this.#send(line)
    }
    if (this.#end || this.#ledger.length >= this.#pace.due) {
      this.#finishIfDone()
      return
    }
    this.#pool.open(this.#pace.due - this.#ledger.length)
  }

  /** Triggers the event planned at this point of the load; true while the load waits for it. */
  #standsStill(): boolean {
    const { event } = this.spec
    if (!event || this.#event === 'over' || this.#ledger.length < event.after) return false
    if (this.#event === undefined && (!event.standsStill || this.#busy === 0)) {
      this.#event = 'under way'
      void event.happen(this.#ledger.length).then(() => {
        this.#event = 'over'
        this.#pump()
      })
    }
    return event.standsStill
  }

  #send(line: Line): void {
    const plannedUs = (this.#pace.plannedMs(this.#ledger.length) - this.originMs) * 1000
    line.state = 'busy'
    line.answered = false
    this.#busy++
    const now = this.clock.monotonicMs()
    line.deadlineMs = now + this.spec.timeoutMs
    this.#pace.went(now)
    this.spec.ear?.asked(now)
    line.row = this.#ledger.append(plannedUs, (now - this.originMs) * 1000, line.connection.id)
    this.#tell(line.row)
    line.connection.send()
  }

  #tell(row: number): void {
    this.spec.onRow?.(ledgerRow(this.#ledger.columns, row))
  }

  /** An answer has been read: its row is reported, and checked for stopping. A refusal by 503 is no sign of ill health. */
  #answerRead(row: number): void {
    this.#tell(row)
    const { columns } = this.#ledger
    const [raw, now] = [columns.status[row], this.clock.monotonicMs()]
    const status = raw < 500 ? raw : (this.spec.statusOf?.(ledgerRow(columns, row)) ?? raw)
    this.#borne.answered(status, columns.sentUs[row] / 1000 + this.originMs, now)
    const sick = this.#borne.isBorne(now) ? undefined : this.#health.answered(status)
    if (sick !== undefined && !this.#end) this.#sendNoMore('server-errors', sick)
    if (this.spec.stopWhen) this.#askWhetherToStop(row)
  }

  /** The request of a line has ended, with or without a complete answer. */
  #over(line: Line, how: 'answered' | 'failed'): void {
    const { body } = line
    line.body = undefined
    if (body) this.#bodies.end(body, how === 'answered')
    this.spec.ear?.[how](this.clock.monotonicMs())
    this.#busy--
    line.sample = undefined
  }

  #unanswered(line: Line, flag: number): void {
    this.#ledger.columns.flags[line.row] |= flag
    this.#over(line, 'failed')
    this.#pool.fell(line)
  }

  #failed(line: Line, detail: string): void {
    line.failures++
    const sick = this.#borne.isBorne(this.clock.monotonicMs()) ? undefined : this.#health.failed(detail)
    if (sick !== undefined) {
      this.#stop('breaker', sick)
      return
    }
    this.#pool.reopen(line)
    this.#pump()
  }

  #sweep(): void {
    const now = this.clock.monotonicMs()
    if (now >= this.#limitMs) this.#stop('time-limit', 'its time limit was reached')
    for (const line of this.#pool.lines) {
      if (this.#end && !this.#inOrder) return
      if (line.state === 'idle' || line.state === 'down' || now < line.deadlineMs) continue
      line.connection.drop()
      if (line.state === 'connecting') this.unconnected(line.connection, 'connecting took too long')
      else if (line.answered) this.bodyCut(line.connection)
      else {
        this.#unanswered(line, ledgerFlags.timedOut)
        this.#failed(line, `no answer within ${this.spec.timeoutMs} ms`)
      }
    }
  }

  #callOff(): void {
    if (!this.spec.abortsInOrder?.() || this.#end) {
      this.#stop('aborted', 'it was cancelled')
      return
    }
    this.#sendNoMore('aborted', 'it was cancelled')
    this.#finishIfDone()
  }

  #sendNoMore(end: 'stop-when' | 'server-errors' | 'aborted', problem: string | null): void {
    this.#end = end
    this.#problem = problem
    this.#inOrder = true
    this.#pool.close()
    this.#pace.stop()
  }

  #askWhetherToStop(row: number): void {
    try {
      if (this.#end || !this.spec.stopWhen?.(ledgerRow(this.#ledger.columns, row))) return
      this.#sendNoMore('stop-when', null)
    } catch (error) {
      this.#thrown = { error }
      this.#stop('aborted', 'the check whether to stop failed')
    }
  }

  /** Ends the load now. Requests in transit are dropped, and count as sent with an unknown outcome. */
  #stop(end: LoadEnd, problem: string): void {
    if (this.#end && !this.#inOrder) return
    this.#inOrder = false
    if (this.#end !== 'server-errors') {
      this.#end = end
      this.#problem = problem
    }
    this.#pool.close()
    const { flags } = this.#ledger.columns
    for (const line of this.#pool.lines) {
      if (line.state === 'busy') {
        flags[line.row] |= line.answered ? ledgerFlags.bodyCut : ledgerFlags.lost
        this.#over(line, 'failed')
      }
      line.connection.drop()
    }
    this.#busy = 0
    this.#finished()
  }

  #finishIfDone(): void {
    if (this.#busy === 0 && (this.#end || this.#ledger.length === this.spec.amount)) this.#finished()
  }

  async #result(end: LoadEnd, problem: string | null): Promise<LoadResult> {
    const rows = this.#ledger.rows()
    return {
      ...countRows(rows, this.spec.amount),
      rows,
      samples: await this.#samples.finish(this.spec, (row) => (rows.flags[row] & ledgerFlags.bodyCut) !== 0),
      end,
      problem,
      breaker: end === 'breaker' ? this.#health.inARow : null,
      connectFailures: this.#connectFailures,
      scheduleErrorMs: scheduleErrorMs(rows, (dueMs) => this.#borne.isHeldUp(dueMs + this.originMs)),
    }
  }
}
