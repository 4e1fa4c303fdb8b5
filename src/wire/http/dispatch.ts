import type { Dispatcher } from 'undici'
import { type exchangePhases, type HeaderLine, headerLines } from '../../evidence/exchange.js'
import type { ExchangeLimits } from './exchange-limits.js'

type DispatchPhase = (typeof exchangePhases)[number]

const nothingYet = (sentAt: number) => ({
  phase: 'connect' as DispatchPhase,
  sentAt,
  receivedAt: null as number | null,
  status: 0,
  reason: '',
  headers: [] as HeaderLine[],
  chunks: [] as Buffer[],
  bytes: 0,
  truncated: false,
})
type Came = ReturnType<typeof nothingYet>

/** The result of one request: how far it got, what was received until then, and what ended it early. */
export type Received = Readonly<Came> & {
  readonly error: unknown
}

interface DispatchSettings {
  readonly limits: ExchangeLimits
  readonly now: () => number
  readonly signal?: AbortSignal
}

/** The error of an exchange that took too long, received too much or was cancelled. Time limits use undici's codes. */
export class ExchangeEnd extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

type Controller = Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>[0]

/** Sends one request and resolves with its result, at the latest when its limits are reached. Never rejects. */
export const dispatch = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  settings: DispatchSettings,
): Promise<Received> => new Promise((resolve) => new Exchanging(settings, resolve).start(dispatcher, request))

class Exchanging implements Dispatcher.DispatchHandler {
  readonly #came: Came
  #controller: Controller | undefined
  #deadline: NodeJS.Timeout | undefined
  #over = false

  constructor(
    readonly settings: DispatchSettings,
    readonly resolve: (received: Received) => void,
  ) {
    this.#came = nothingYet(settings.now())
  }

  start(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): void {
    const { signal, limits } = this.settings
    if (signal?.aborted) {
      this.#interrupt()
      return
    }
    signal?.addEventListener('abort', this.#interrupt, { once: true })
    // undici times each read separately, so an answer in small pieces would never be late: here each phase is timed as a
    // whole.
    this.#allow(limits.connectMs, 'UND_ERR_CONNECT_TIMEOUT', 'there was no connection')
    try {
      dispatcher.dispatch(request, this)
    } catch (error) {
      this.#settle(error)
    }
  }

  onRequestStart(controller: Controller): void {
    // The connection was made too late: nothing may be sent on it now.
    if (this.#over) {
      controller.abort(new ExchangeEnd('GIVEN_UP', 'given up'))
      return
    }
    this.#controller = controller
    this.#came.phase = 'head'
    this.#came.sentAt = this.settings.now()
    this.#allow(this.settings.limits.headMs, 'UND_ERR_HEADERS_TIMEOUT', 'no response headers had come')
  }

  onResponseStart(controller: Controller, status: number, _headers: unknown, reason?: string): void {
    if (status < 200 || this.#over) return
    const receivedAt = this.settings.now()
    const lines = (controller.rawHeaders as Buffer[] | null)?.map((each) => each.toString('latin1')) ?? []
    Object.assign(this.#came, { phase: 'body', receivedAt, status, reason: reason ?? '', headers: headerLines(lines) })
    this.#allow(this.settings.limits.bodyMs, 'UND_ERR_BODY_TIMEOUT', 'the body was not complete')
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#over) return
    const room = this.settings.limits.mostBodyBytes - this.#came.bytes
    this.#came.bytes += chunk.length
    // Copied, since a view would keep the socket's whole buffer in memory.
    this.#came.chunks.push(Buffer.from(chunk.subarray(0, room)))
    if (chunk.length <= room) return
    this.#came.truncated = true
    const { mostBodyBytes } = this.settings.limits
    this.#giveUp(new ExchangeEnd('BODY_TOO_LONG', `the body is longer than ${mostBodyBytes} bytes`))
  }

  onResponseEnd(): void {
    this.#settle(null)
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#settle(error)
  }

  readonly #interrupt = () => this.#giveUp(new ExchangeEnd('INTERRUPTED', 'interrupted'))

  #allow(ms: number, code: string, what: string): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#giveUp(new ExchangeEnd(code, `${what} after ${ms} ms`)), ms)
  }

  #giveUp(error: ExchangeEnd): void {
    this.#settle(error)
    this.#controller?.abort(error)
  }

  #settle(error: unknown): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#deadline)
    this.settings.signal?.removeEventListener('abort', this.#interrupt)
    this.resolve({ ...this.#came, error })
  }
}
