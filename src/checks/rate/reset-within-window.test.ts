import type { KeyQuota } from '../../contract/key-quota.js'
import { madeEvidence, madeKey, wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { verdictTable } from '../testing/verdict-table.js'
import { resetWithinWindow } from './reset-within-window.js'

const windowMs = 60_000
const limit = 60
const startSeconds = wallStartMs / 1000

interface Decision {
  readonly admitted: boolean
  readonly remaining: number
  /** The end of the window, or when the log has room again. */
  readonly freeAt: number
}

/** A window that the first request opens. */
const fixed = (): ((at: number) => Decision) => {
  let [end, used] = [Number.NEGATIVE_INFINITY, 0]
  return (at) => {
    if (at >= end) [end, used] = [at + windowMs, 0]
    const admitted = used < limit
    if (admitted) used += 1
    return { admitted, remaining: limit - used, freeAt: end }
  }
}

const log = (): ((at: number) => Decision) => {
  let admissions: number[] = []
  return (at) => {
    admissions = admissions.filter((each) => each > at - windowMs)
    const admitted = admissions.length < limit
    if (admitted) admissions.push(at)
    return { admitted, remaining: limit - admissions.length, freeAt: admissions[0] + windowMs }
  }
}

type ResetOf = (at: number, decision: Decision) => number

const honest: ResetOf = (_, { freeAt }) => freeAt
const sliding: ResetOf = (at) => at + windowMs

/** When the window is opened that the burst falls into: what was spent before the run cannot matter any more. */
const openedAt = 61_000

/** What burst and split see of a limiter: an opener, 89 at once, a single one, another when it is due, and three loads more. */
const seen = (
  limiter: (at: number) => Decision,
  resetOf: ResetOf,
  told = true,
  quota: KeyQuota = madeKey('free').quota,
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
  const later = single(openedAt + 126_000)
  const again = load('again-free', openedAt + 156_000, 60)
  const run = { keys: [{ ...madeKey('free'), quota }] }
  return madeEvidence([...before, ...after, later], { run, ledgers: [burst, half, whole, again] })
}

verdictTable(resetWithinWindow, [
  ['Reset is the end of the window', seen(fixed(), honest), { verdict: 'pass', code: 'told' }],
  [
    'Reset is always a window from now',
    seen(fixed(), sliding),
    {
      verdict: 'fail',
      code: 'reset-after-window-ended',
      facts: { plan: 'free', reset: startSeconds + 152 },
      witnesses: ['x3', 'x4'],
    },
  ],
  [
    'it is that, and a log may mean that by then everything is back',
    seen(log(), sliding),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'nothing tells the clock of the target',
    seen(fixed(), sliding, false),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'the limits of minute and day are the same',
    seen(fixed(), sliding, true, { limit: 60, longer: 60 }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['rounding and clocks explain it', seen(fixed(), (_, { freeAt }) => freeAt + 1_800), { verdict: 'pass' }],
  ['they do no longer', seen(fixed(), (_, { freeAt }) => freeAt + 4_500), { verdict: 'fail' }],
])
