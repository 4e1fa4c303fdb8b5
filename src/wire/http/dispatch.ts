import type { Dispatcher } from 'undici'
import { type exchangePhases, type HeaderLine, headerLines } from '../../evidence/exchange.js'
import type { ExchangeLimits } from './exchange-limits.js'

type DispatchPhase = (typeof exchangePhases)[number]

/** What came of one request: how far it got, what was received until then, and what ended it early. */
export interface Received {
  readonly phase: DispatchPhase
  readonly sentAt: number
  readonly receivedAt: number | null
  readonly status: number
  readonly reason: string
  readonly headers: readonly HeaderLine[]
  readonly chunks: readonly Buffer[]
  readonly bytes: number
  /** More came than was kept. */
  readonly truncated: boolean
  /** Null where the answer is whole. */
  readonly error: unknown
}

interface DispatchSettings {
  readonly limits: Pick<ExchangeLimits, 'connectMs' | 'headMs' | 'bodyMs'>
  readonly mostBodyBytes: number
  readonly now: () => number
  readonly signal?: AbortSignal
}

/** The error of an exchange that took too long, sent too much or was called off. Time limits have undici's codes. */
export class ExchangeEnd extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

type Controller = Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>[0]

/** Sends one request and resolves with what came of it, at the latest when its limits are reached. Never rejects. */
export const dispatch = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  settings: DispatchSettings,
): Promise<Received> => new Promise((resolve) => new Exchanging(settings, resolve).start(dispatcher, request))

class Exchanging implements Dispatcher.DispatchHandler {
  #phase: DispatchPhase = 'connect'
  #sentAt: number
  #receivedAt: number | null = null
  #status = 0
  #reason = ''
  #headers: HeaderLine[] = []
  #bytes = 0
  #truncated = false
  #controller: Controller | undefined
  #deadline: NodeJS.Timeout | undefined
  #over = false
  readonly #chunks: Buffer[] = []

  constructor(
    readonly settings: DispatchSettings,
    readonly resolve: (received: Received) => void,
  ) {
    this.#sentAt = settings.now()
  }

  start(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): void {
    const { signal, limits } = this.settings
    if (signal?.aborted) {
      this.#interrupt()
      return
    }
    signal?.addEventListener('abort', this.#interrupt, { once: true })
    // undici times each read by itself, so that an answer in small pieces is never late: each phase is timed as a whole
    // here.
    this.#allow(limits.connectMs, 'UND_ERR_CONNECT_TIMEOUT', 'there was no connection')
    try {
      dispatcher.dispatch(request, this)
    } catch (error) {
      this.#settle(error)
    }
  }

  onRequestStart(controller: Controller): void {
    // The connection was made too late: nothing may be sent on it any more.
    if (this.#over) {
      controller.abort(new ExchangeEnd('GIVEN_UP', 'given up'))
      return
    }
    this.#controller = controller
    this.#phase = 'head'
    this.#sentAt = this.settings.now()
    this.#allow(this.settings.limits.headMs, 'UND_ERR_HEADERS_TIMEOUT', 'no head of an answer had come')
  }

  onResponseStart(controller: Controller, status: number, _headers: unknown, reason?: string): void {
    if (status < 200 || this.#over) return
    this.#phase = 'body'
    this.#receivedAt = this.settings.now()
    this.#status = status
    this.#reason = reason ?? ''
    this.#headers = headerLines(
      (controller.rawHeaders as Buffer[] | null)?.map((each) => each.toString('latin1')) ?? [],
    )
    this.#allow(this.settings.limits.bodyMs, 'UND_ERR_BODY_TIMEOUT', 'the body was not complete')
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#over) return
    const room = this.settings.mostBodyBytes - this.#bytes
    this.#bytes += chunk.length
    // Copied, for a view would keep the socket's whole buffer in memory.
    this.#chunks.push(Buffer.from(chunk.subarray(0, room)))
    if (chunk.length <= room) return
    this.#truncated = true
    this.#giveUp(new ExchangeEnd('BODY_TOO_LONG', `the body is longer than ${this.settings.mostBodyBytes} bytes`))
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
    this.resolve({
      phase: this.#phase,
      sentAt: this.#sentAt,
      receivedAt: this.#receivedAt,
      status: this.#status,
      reason: this.#reason,
      headers: this.#headers,
      chunks: this.#chunks,
      bytes: this.#bytes,
      truncated: this.#truncated,
      error,
    })
  }
}
