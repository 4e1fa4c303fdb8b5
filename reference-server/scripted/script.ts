/** What a scripted answer says in `Retry-After`. */
export type ScriptedRetryAfter =
  | { readonly seconds: number }
  /** An HTTP-date that lies so far ahead, rounded up to its second; negative: in the past (RFC 9110 §5.6.7). */
  | { readonly date: 'imf-fixdate' | 'rfc850' | 'asctime'; readonly inSeconds: number }
  | { readonly text: string }

/** An answer that a script lays down. */
export interface ScriptedAnswer {
  readonly status: 200 | 429 | 503
  /** How often it is given before the next one's turn comes; the last one of a script is given for ever. */
  readonly times: number
  readonly retryAfter?: ScriptedRetryAfter | undefined
  /** Names the moment in `X-RateLimit-Reset`. Without it a refusal carries no rate-limit header at all. */
  readonly resetInSeconds?: number | undefined
  readonly delayMs: number
  /** True: no rate-limit headers, although it is a 200. */
  readonly bare: boolean
}

/** A limiter that counts, as the plan Free does in its minute. */
export interface ScriptedQuota {
  readonly requests: number
  readonly windowMs: number
  /** How many requests a second other clients of the key spend. */
  readonly othersPerSecond: number
  /** An admitted request is answered after this long; a refused one at once. */
  readonly serveMs: number
  /** Refusals in a row that set off a ban of one window; the next window after it is free again. */
  readonly banAfter: number
}

/** Refuses until the client has been silent for the whole of the time that it named. */
export interface ScriptedPatience {
  readonly seconds: number
}

/** How a play answers. Times in seconds count from the moment of the answer. */
export type Script =
  | { readonly kind: 'answers'; readonly answers: readonly ScriptedAnswer[] }
  | { readonly kind: 'quota'; readonly quota: ScriptedQuota }
  | { readonly kind: 'patience'; readonly patience: ScriptedPatience }
