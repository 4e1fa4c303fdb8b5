import { type Clock, systemClock } from '../../kit/clock.js'
import { parseHttpDate } from '../../kit/http-date.js'

interface RetryingOptions {
  /** Total attempts. Default: 7. */
  readonly attempts?: number
  /** The first own wait, if the answer names none; each further one doubles. Default: 500 ms. */
  readonly baseMs?: number
  /** The longest own wait. Default: a minute. */
  readonly capMs?: number
  /** If a wait would be longer than this, the refusal is returned. Default: 5 minutes. */
  readonly longestWaitMs?: number
  readonly clock?: Clock
  /** A number in [0, 1). */
  readonly random?: () => number
}

/** `Retry-After` in ms: whole seconds or an HTTP-date in the future. Undefined for anything else. */
const namedWaitMs = (headers: Headers, wallMs: number): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = parseHttpDate(text, new Date(wallMs).getUTCFullYear())
  return date !== undefined && date > wallMs ? date - wallMs : undefined
}

/** `X-RateLimit-Reset`, a Unix timestamp in seconds (§8.2), as ms from now. Undefined if it is not in the future. */
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

/** The server's wall clock: its `Date` if ours is off by more than a date's second and a round trip. */
const serverWallMs = (headers: Headers, wallMs: number): number => {
  const date = parseHttpDate(headers.get('date') ?? '')
  return date === undefined || Math.abs(date - wallMs) < 2_000 ? wallMs : date
}

const isRefusal = (status: number): boolean => status === 429 || status === 503

/**
 * A `fetch` that follows §8 of the interface, for one key: make one per key and send everything through it. After a 429 or
 * 503 the whole key is silent for as long as `Retry-After` says, in seconds or as a date, else until `X-RateLimit-Reset`,
 * else for its own wait, which doubles and is jittered. `Remaining` keeps it below the limit: if nothing is known, one
 * request goes alone, and no more are in transit than the window allows. After too many attempts, or if the wait would be too
 * long, it returns the last refusal; it never retries early. It does not handle broken connections: their error is passed on.
 */
export const retrying = (fetch: typeof globalThis.fetch, options: RetryingOptions = {}): typeof globalThis.fetch => {
  const { attempts = 7, baseMs = 500, capMs = 60_000, longestWaitMs = 300_000 } = options
  const { clock = systemClock, random = Math.random } = options
  /** What is known about the key. Times are milliseconds on the monotonic clock. */
  const key = {
    /** Nothing is sent before this. */
    pausedUntil: 0,
    /** Each caller waits a random part of this longer, so that not all retry at the same moment. */
    spreadMs: 0,
    /** How many requests the window still allows by the last answer; undefined if unknown. */
    remaining: undefined as number | undefined,
    /** When the window ends; after that `remaining` is unknown. */
    resetAt: 0,
    inFlight: 0,
    refusedInARow: 0,
    waiting: [] as (() => void)[],
  }

  const changed = () => {
    for (const wake of key.waiting.splice(0)) wake()
  }
  const pause = (now: number, untilMs: number) => {
    key.pausedUntil = Math.max(key.pausedUntil, untilMs)
    key.spreadMs = Math.min(1_000, 100 + (key.pausedUntil - now) / 10)
    // Remaining may differ after the pause, so one request goes alone again.
    key.remaining = undefined
  }

  /** Resolves to true when a request may go, which then counts as in transit; to false if that is too far off. */
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
    // Answers overtake one another: within a window the lowest Remaining is the latest.
    key.remaining = sameWindow ? Math.min(remaining ?? 0, key.remaining ?? 0) : (remaining ?? Number.POSITIVE_INFINITY)
    key.resetAt = endOfWindow(now, remaining, resetMs, sameWindow)
  }

  /** Without a Reset, Remaining is trusted for a second; without Remaining there is nothing to observe. */
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
    throw new Error(`the key must stay silent for more than ${longestWaitMs} ms`)
  }
}
