import { madeEvidence, madeKey, wallStartMs } from '../../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../../evidence/testing/made-ledger.js'

/** Every limiter here keeps 60 a minute. */
export const windowMs = 60_000
const limit = 60

interface Decision {
  readonly admitted: boolean
  readonly remaining: number
  /** When the window ends, the log has room again, or the bucket is full; after a refusal, when it admits again. */
  readonly freeAt: number
}

/** Decides about one request at a time, given the milliseconds of the run. */
export type PlayedLimiter = (at: number) => Decision

/** A window that the first request opens. With `opens` 0 that request shows that one less is left, and is not counted. */
export const fixed = (opens: 0 | 1 = 1): PlayedLimiter => {
  let [end, used] = [Number.NEGATIVE_INFINITY, 0]
  return (at) => {
    if (at >= end) {
      ;[end, used] = [at + windowMs, opens]
      return { admitted: true, remaining: limit - 1, freeAt: end }
    }
    const admitted = used < limit
    if (admitted) used += 1
    return { admitted, remaining: limit - used, freeAt: end }
  }
}

export const log = (): PlayedLimiter => {
  let admissions: number[] = []
  return (at) => {
    admissions = admissions.filter((each) => each > at - windowMs)
    const admitted = admissions.length < limit
    if (admitted) admissions.push(at)
    return { admitted, remaining: limit - admissions.length, freeAt: admissions[0] + windowMs }
  }
}

/** A bucket. If it rounds its content up, the first two requests on a full one both show 59 left. */
export const bucket = (rounded: (tokens: number) => number): PlayedLimiter => {
  let [tokens, last] = [limit, Number.NEGATIVE_INFINITY]
  return (at) => {
    tokens = Math.min(limit, tokens + ((at - last) * limit) / windowMs)
    last = at
    const admitted = tokens >= 1
    if (admitted) tokens -= 1
    const lacking = admitted ? limit - tokens : 1 - tokens
    return { admitted, remaining: admitted ? rounded(tokens) : 0, freeAt: at + (lacking * windowMs) / limit }
  }
}

type ResetOf = (at: number, decision: Decision) => number

/** The moment at which the limiter really has room again. */
const honest: ResetOf = (_, { freeAt }) => freeAt

/** When the burst's window is opened: what was spent before the run cannot matter any more. */
export const openedAt = 61_000

interface Playing {
  /** The moment that Reset names. */
  readonly resetOf?: ResetOf
  /** Whether the answers have a Date. */
  readonly told?: boolean
  readonly key?: Partial<ReturnType<typeof madeKey>>
  /** When single requests are sent between the last two loads, counted from the opener of the burst's window. */
  readonly later?: readonly number[]
  /** Other requests on the key, which the limiter does not count. */
  readonly beside?: readonly ExchangePart[]
}

/** What burst and split see of a limiter: an opener, 89 at once, one request, another when it is due, three more loads. */
export const playedOn = (
  limiter: PlayedLimiter,
  { resetOf = honest, told = true, key = {}, later = [126_000], beside = [] }: Playing = {},
) => {
  const answer = (at: number) => {
    const decision = limiter(at)
    const reset = Math.ceil((resetOf(at, decision) + wallStartMs) / 1000)
    const retryAfter = decision.admitted ? undefined : Math.ceil((decision.freeAt - at) / 1000)
    return { status: decision.admitted ? 200 : 429, limit, remaining: decision.remaining, reset, retryAfter }
  }
  const single = (at: number): ExchangePart => {
    const { status, remaining, reset, retryAfter } = answer(at + 1)
    const rate = {
      'X-RateLimit-Limit': `${limit}`,
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${reset}`,
    }
    const date: Record<string, string> = told
      ? { Date: new Date(Math.floor((at + wallStartMs) / 1000) * 1000).toUTCString() }
      : {}
    const wait: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': `${retryAfter}` }
    return { probe: 'burst', sentAt: at, status, headers: { ...rate, ...date, ...wait } }
  }
  const load = (id: string, at: number, amount: number) => {
    const rows = Array.from({ length: amount }, (_, i): MadeRow => ({ sentMs: at + i * 3, ...answer(at + i * 3 + 1) }))
    return madeLedger(rows, { id, probe: id.startsWith('burst') ? 'burst' : 'split' })
  }
  const before = [single(0), single(openedAt)]
  const burst = load('burst-free', openedAt + 100, 89)
  const after = [single(openedAt + 30_500), single(openedAt + 60_010)]
  const half = load('half-free', openedAt + 84_000, 30)
  const whole = load('whole-free', openedAt + 114_000, 60)
  const singles = later.map((ms) => single(openedAt + ms))
  const again = load('again-free', openedAt + 156_000, 60)
  const run = { keys: [{ ...madeKey('free'), ...key }] }
  return madeEvidence([...before, ...beside, ...after, ...singles], { run, ledgers: [burst, half, whole, again] })
}

/** The operations asked for between the refusals of a spent window, with the statuses of their answers, in order. */
export const asked = (...answers: readonly [ExchangePart['operation'], number][]): { beside: ExchangePart[] } => ({
  beside: answers.map(([operation, status], i) => ({
    probe: 'burst',
    step: 'spelling',
    intent: { spelling: 'a third operation' },
    operation,
    sentAt: openedAt + 1_000 + 100 * i,
    status,
    headers: {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': `${Math.ceil((openedAt + 1 + windowMs + wallStartMs) / 1000)}`,
      ...(status === 429 ? { 'Retry-After': '60' } : {}),
    },
  })),
})
