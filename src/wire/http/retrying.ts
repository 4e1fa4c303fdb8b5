import { type Clock, systemClock } from '../../kit/clock.js'
import { parseHttpDate } from '../../kit/http-date.js'

interface RetryingOptions {
  /** Attempts in all. Default: 7. */
  readonly attempts?: number
  /** The first wait of its own, where the answer names none; each further one is twice as long. Default: 500 ms. */
  readonly baseMs?: number
  /** No wait of its own is longer. Default: a minute. */
  readonly capMs?: number
  /** Where a wait would be longer than this, the refusal is handed on. Default: 5 minutes. */
  readonly longestWaitMs?: number
  readonly clock?: Clock
  /** A number in [0, 1). */
  readonly random?: () => number
}

/** `Retry-After` in ms: whole seconds or an HTTP-date that is still to come. Undefined for anything else. */
const namedWaitMs = (headers: Headers, wallMs: number): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = parseHttpDate(text, new Date(wallMs).getUTCFullYear())
  return date !== undefined && date > wallMs ? date - wallMs : undefined
}

/** `X-RateLimit-Reset`, a Unix timestamp in seconds (§8.2), as ms from now. Undefined for no moment to come. */
const resetWaitMs = (headers: Headers, wallMs: number): number | undefined => {
  const text = headers.get('x-ratelimit-reset')?.trim() ?? ''
  if (!/^\d{1,12}$/.test(text)) return undefined
  const waitMs = Number(text) * 1000 - wallMs
  return waitMs > 0 ? waitMs : undefined
}

const remainingOf = (headers: Headers): number | undefined => {
  const text = headers.get('x-ratelimit-remaining')?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** The server's wall clock: that of its `Date` where ours is off by more than a date's second and a round trip. */
const serverWallMs = (headers: Headers, wallMs: number): number => {
  const date = parseHttpDate(headers.get('date') ?? '')
  return date === undefined || Math.abs(date - wallMs) < 2_000 ? wallMs : date
}

const isRefusal = (status: number): boolean => status === 429 || status === 503

/**
 * A `fetch` that keeps to §8 of the interface, for one key: make one for each key and send everything through it. After
 * a 429 or 503 the whole key is silent for as long as `Retry-After` says, in seconds or as a date, else until
 * `X-RateLimit-Reset`, else for a wait of its own that doubles and is jittered. `Remaining` keeps it clear of the
 * limit: where nothing is known, one request goes alone, and no more are under way than the window allows. It gives up,
 * and hands the last refusal on, after so many attempts or where the wait would be too long; it never comes back early.
 * A broken connection is not its business: the error is handed on.
 */
export const retrying = (fetch: typeof globalThis.fetch, options: RetryingOptions = {}): typeof globalThis.fetch => {
  const { attempts = 7, baseMs = 500, capMs = 60_000, longestWaitMs = 300_000 } = options
  const { clock = systemClock, random = Math.random } = options
  /** What is known of the key. Times are milliseconds on the monotonic clock. */
  const key = {
    /** Nothing is sent before this. */
    pausedUntil: 0,
    /** Each caller waits a random part of this longer, so that not all come back at the same moment. */
    spreadMs: 0,
    /** Requests that the window still allows, as the last answer had it; undefined: not known. */
    remaining: undefined as number | undefined,
    /** When the window ends, after which `remaining` is no longer known. */
    resetAt: 0,
    inFlight: 0,
    refusedInARow: 0,
    /** Callers that wait for any change. */
    waiting: [] as (() => void)[],
  }

  const changed = () => {
    for (const wake of key.waiting.splice(0)) wake()
  }
  const pause = (now: number, untilMs: number) => {
    key.pausedUntil = Math.max(key.pausedUntil, untilMs)
    key.spreadMs = Math.min(1_000, 100 + (key.pausedUntil - now) / 10)
    // Remaining may be another after the pause: one request goes alone again.
    key.remaining = undefined
  }

  /** Resolves to true when a request may go, which then counts as under way; to false where that is too far off. */
  const enter = async (signal: AbortSignal | undefined): Promise<boolean> => {
    for (;;) {
      signal?.throwIfAborted()
      const now = clock.monotonicMs()
      if (key.pausedUntil - now > longestWaitMs) return false
      if (now < key.pausedUntil) {
        await clock.sleep(key.pausedUntil - now + random() * key.spreadMs, signal)
        continue
      }
      const known = key.remaining !== undefined && now < key.resetAt
      if (key.inFlight === 0 && known && key.remaining === 0) {
        pause(now, key.resetAt)
        continue
      }
      if (key.inFlight === 0 || (known && key.inFlight < (key.remaining ?? 0))) break
      await new Promise<void>((resolve) => key.waiting.push(resolve))
    }
    key.inFlight += 1
    return true
  }

  const learn = (response: Response) => {
    const { headers, status } = response
    const now = clock.monotonicMs()
    const wallMs = serverWallMs(headers, clock.wallMs())
    const resetMs = resetWaitMs(headers, wallMs)
    if (isRefusal(status)) {
      const ownMs = Math.min(capMs, baseMs * 2 ** key.refusedInARow) * (1 + random() / 2)
      const namedMs = namedWaitMs(headers, wallMs) ?? (headers.has('retry-after') ? undefined : resetMs)
      key.refusedInARow += 1
      pause(now, now + (namedMs === undefined || namedMs === 0 ? ownMs : namedMs))
      return
    }
    key.refusedInARow = 0
    const remaining = remainingOf(headers)
    const sameWindow = key.remaining !== undefined && resetMs !== undefined && now + resetMs < key.resetAt + 500
    // Answers overtake each other: within a window the lowest Remaining is the latest.
    key.remaining = sameWindow ? Math.min(remaining ?? 0, key.remaining ?? 0) : (remaining ?? Number.POSITIVE_INFINITY)
    key.resetAt = endOfWindow(now, remaining, resetMs, sameWindow)
  }

  /** Without a Reset, Remaining is believed for a second; without Remaining there is nothing to keep to. */
  const endOfWindow = (now: number, remaining?: number, resetMs?: number, sameWindow?: boolean): number => {
    if (remaining === undefined) return Number.POSITIVE_INFINITY
    if (resetMs === undefined) return now + 1_000
    return sameWindow ? Math.max(now + resetMs, key.resetAt) : now + resetMs
  }

  const once = async (request: Request): Promise<Response> => {
    try {
      const response = await fetch(request.clone())
      learn(response)
      return response
    } finally {
      key.inFlight -= 1
      changed()
    }
  }

  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    let refusal: Response | undefined
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (!(await enter(signal))) break
      await refusal?.body?.cancel()
      refusal = await once(request)
      if (!isRefusal(refusal.status)) return refusal
    }
    if (refusal) return refusal
    throw new Error(`the key has to be silent for longer than ${longestWaitMs} ms`)
  }
}
