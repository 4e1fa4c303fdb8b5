import { algorithms } from '../../../reference-server/limiters/algorithms.js'
import { decide, freshTally, retryAfterSeconds } from '../../../reference-server/stores/ruling.js'
import type { ClientCases } from '../../client-audit/client-cases.js'
import { inTimeMs } from '../../client-audit/waits/early-arrivals.js'
import { windowLengthMs } from '../../contract/plans.js'
import type { Clock } from '../../kit/clock.js'

export type Script = Pick<ClientCases['cases'][number], 'answers' | 'quota' | 'patience'>

type Answers = NonNullable<Script['answers']>

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

/** An answer that is about to be sent. Its headers are made at that moment. */
export interface DueAnswer {
  readonly status: 200 | 401 | 429 | 503
  readonly delayMs: number
  readonly banned: boolean
  headers(): Readonly<Record<string, string>>
}

type Answerer = () => DueAnswer

/** The Free plan's limit: 60 a minute. */
const shownLimit = 60

const retryAfterText = (retryAfter: NonNullable<Answers[number]['retryAfter']>, wallMs: number): string => {
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

const inTurn = (answers: Answers, clock: Clock): Answerer => {
  const turns = answers.flatMap((answer, at) =>
    at === answers.length - 1 ? [answer] : Array(answer.times).fill(answer),
  )
  let given = 0
  return () => {
    const answer: Answers[number] = turns[Math.min(given, turns.length - 1)]
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

/** A limiter that counts like the Free plan's minute, whose window may be shorter. */
const counting = (quota: NonNullable<Script['quota']>, clock: Clock): Answerer => {
  const { requests, timeScale, othersPerSecond, serveMs, banAfter } = quota
  const windowMs = windowLengthMs('minute', timeScale)
  const window = { name: 'minute', limit: requests, windowMs }
  const meter = algorithms['fixed-window-first-request'](window, clock.wallMs())
  const ban = { threshold: banAfter, withinMs: Number.POSITIVE_INFINITY, lengthMs: windowMs }
  const tally = freshTally({ id: 'key', windows: [window], ban }, [meter], clock.wallMs())
  let othersAt: number | undefined
  const spendOthers = (wallMs: number) => {
    othersAt ??= wallMs
    // Others spend a request whenever theirs is due, while the window has any left.
    for (const every = 1000 / othersPerSecond; othersPerSecond > 0 && othersAt + every <= wallMs; othersAt += every) {
      if (meter.available(othersAt) > 0) meter.take(othersAt)
    }
  }
  return () => {
    const wallMs = clock.wallMs()
    spendOthers(wallMs)
    const ruling = decide([{ tally, cost: 1 }], wallMs)
    const [{ remaining, resetMs }] = ruling.windows
    const admitted = ruling.outcome === 'admitted'
    const headers = {
      ...rateHeaders(requests, remaining, resetMs),
      ...(admitted ? {} : { 'Retry-After': String(retryAfterSeconds(ruling)) }),
    }
    const banned = ruling.outcome === 'banned'
    return { status: admitted ? 200 : 429, delayMs: admitted ? serveMs : 0, banned, headers: () => headers }
  }
}

/** Refuses until the client has been silent for the whole named wait. */
const patient = ({ seconds }: NonNullable<Script['patience']>, clock: Clock): Answerer => {
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

export const answererOf = ({ answers, quota, patience }: Script, clock: Clock): Answerer => {
  if (answers) return inTurn(answers, clock)
  if (patience) return patient(patience, clock)
  if (!quota) throw new Error('a case has no answers')
  return counting(quota, clock)
}
