import type { Clock } from '../src/kit/clock.js'
import { meterOf } from './limiters/limiter.js'
import { fixedWindowFirstRequest } from './limiters/windows.js'

/** The three forms of an HTTP-date that a recipient has to accept (RFC 9110 §5.6.7). */
const httpDateForms = {
  'imf-fixdate': (date: Date): string => date.toUTCString(),
  rfc850(date: Date): string {
    const [, day, month, year, time] = date.toUTCString().split(' ')
    const weekday = date.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    return `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`
  },
  asctime(date: Date): string {
    const [weekday, day, month, year, time] = date.toUTCString().split(' ')
    return `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
  },
} as const

/** An answer that is about to be given. Its headers are made at the moment at which it goes out. */
export interface DueAnswer {
  readonly status: 200 | 401 | 429 | 503
  readonly delayMs: number
  readonly banned: boolean
  headers(): Readonly<Record<string, string>>
}

type Answerer = () => DueAnswer

/** The plan Free shows 60 a minute. */
const shownLimit = 60

/** A client that comes so much before the named moment is in time (CLIENT-1). */
const inTimeMs = 3

const retryAfterText = (retryAfter: ScriptedRetryAfter, wallMs: number): string => {
  if ('seconds' in retryAfter) return String(retryAfter.seconds)
  if ('text' in retryAfter) return retryAfter.text
  const second = Math.ceil((wallMs + retryAfter.inSeconds * 1000) / 1000)
  return httpDateForms[retryAfter.date](new Date(second * 1000))
}

const rateHeaders = (limit: number, remaining: number, resetMs: number): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
})

const inTurn = (answers: readonly ScriptedAnswer[], clock: Clock): Answerer => {
  const turns = answers.flatMap((answer, at) =>
    at === answers.length - 1 ? [answer] : Array(answer.times).fill(answer),
  )
  let given = 0
  return () => {
    const answer: ScriptedAnswer = turns[Math.min(given, turns.length - 1)]
    given += 1
    return {
      status: answer.status,
      delayMs: answer.delayMs,
      banned: false,
      headers: () => {
        const wallMs = clock.wallMs()
        const served = answer.status === 200
        const resetInSeconds = answer.resetInSeconds ?? (served && !answer.bare ? 60 : undefined)
        return {
          ...(resetInSeconds === undefined
            ? {}
            : rateHeaders(shownLimit, served ? shownLimit - 1 : 0, wallMs + resetInSeconds * 1000)),
          ...(answer.retryAfter ? { 'Retry-After': retryAfterText(answer.retryAfter, wallMs) } : {}),
        }
      },
    }
  }
}

const counting = (quota: ScriptedQuota, clock: Clock): Answerer => {
  const { requests, windowMs, othersPerSecond, banAfter } = quota
  const meter = meterOf(fixedWindowFirstRequest({ limit: requests, windowMs }), clock.wallMs())
  let othersAt: number | undefined
  let refusedInARow = 0
  let bannedUntilMs = Number.NEGATIVE_INFINITY
  const spendOthers = (wallMs: number) => {
    othersAt ??= wallMs
    // Others spend one request each time theirs is due, as long as the window has something left.
    for (const every = 1000 / othersPerSecond; othersPerSecond > 0 && othersAt + every <= wallMs; othersAt += every) {
      if (meter.available(othersAt) > 0) meter.take(othersAt)
    }
  }
  const answerFor = (wallMs: number): DueAnswer => {
    spendOthers(wallMs)
    const admitted = wallMs >= bannedUntilMs && meter.available(wallMs) > 0
    if (admitted) meter.take(wallMs)
    refusedInARow = admitted ? 0 : refusedInARow + 1
    if (refusedInARow > banAfter && wallMs >= bannedUntilMs) bannedUntilMs = wallMs + windowMs
    const banned = wallMs < bannedUntilMs
    const remaining = banned ? 0 : meter.available(wallMs)
    const againAtMs = Math.max(meter.admitsAtMs(wallMs), banned ? bannedUntilMs : 0)
    const resetMs = Math.max(meter.resetMs(wallMs), againAtMs)
    const headers = {
      ...rateHeaders(requests, remaining, resetMs),
      ...(admitted ? {} : { 'Retry-After': String(Math.max(1, Math.ceil((againAtMs - wallMs) / 1000))) }),
    }
    return { status: admitted ? 200 : 429, delayMs: admitted ? quota.serveMs : 0, banned, headers: () => headers }
  }
  return () => answerFor(clock.wallMs())
}

const patient = ({ seconds }: ScriptedPatience, clock: Clock): Answerer => {
  let servesAtMs: number | undefined
  return () => {
    const nowMs = clock.monotonicMs()
    const served = servesAtMs !== undefined && nowMs >= servesAtMs - inTimeMs
    if (!served) servesAtMs = nowMs + seconds * 1000
    const headers = (): Record<string, string> => ({
      ...rateHeaders(shownLimit, served ? shownLimit - 1 : 0, clock.wallMs() + (served ? 60 : seconds) * 1000),
      ...(served ? {} : { 'Retry-After': String(seconds) }),
    })
    return { status: served ? 200 : 429, delayMs: 0, banned: !served, headers }
  }
}

/** Plays a script from its beginning. */
export const answererOf = (script: Script, clock: Clock): Answerer => {
  if (script.kind === 'answers') return inTurn(script.answers, clock)
  return script.kind === 'quota' ? counting(script.quota, clock) : patient(script.patience, clock)
}

type ScriptedRetryAfter =
  | { readonly seconds: number }
  /** An HTTP-date that lies so far ahead, rounded up to its second; negative: in the past (RFC 9110 §5.6.7). */
  | { readonly date: 'imf-fixdate' | 'rfc850' | 'asctime'; readonly inSeconds: number }
  | { readonly text: string }

/** An answer that a script lays down. */
interface ScriptedAnswer {
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
interface ScriptedQuota {
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
interface ScriptedPatience {
  readonly seconds: number
}

/** How a play answers. Times in seconds count from the moment of the answer. */
export type Script =
  | { readonly kind: 'answers'; readonly answers: readonly ScriptedAnswer[] }
  | { readonly kind: 'quota'; readonly quota: ScriptedQuota }
  | { readonly kind: 'patience'; readonly patience: ScriptedPatience }
