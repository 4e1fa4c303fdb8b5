import { expect, it } from 'vitest'
import type { KeyQuota } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { spentToRefusal } from '../../oracle/shown-remaining.js'
import { viewOf } from '../../readings/quota-views.js'
import { verdictTable } from '../testing/verdict-table.js'
import { remainingKept } from './remaining-kept.js'
import { fixed, playedOn } from './testing/played-limiter.js'

const limit = 60

/** An exchange that shows what remains. */
const single = (sentAt: number, remaining: number, part: ExchangePart = {}): ExchangePart => ({
  probe: 'burst',
  sentAt,
  headers: { 'X-RateLimit-Limit': `${limit}`, 'X-RateLimit-Remaining': `${remaining}` },
  ...part,
})

/** So many at once on a fresh window, as a limiter admits them that gives nothing back for a whole window. */
const burst = (admitted: number, sentMs = 61_100, refused = 30) =>
  madeLedger(
    Array.from({ length: admitted + refused }, (_, i) => ({
      sentMs: sentMs + i,
      status: i < admitted ? 200 : 429,
      limit,
      remaining: Math.max(0, admitted - 1 - i),
      retryAfter: i < admitted ? undefined : 60,
    })),
  )

/** A first use, an opener that says what remains, a burst, and a single refusal late in the window. */
const seen = (
  shown: number,
  admitted: number,
  between: readonly ExchangePart[] = [],
  quota: KeyQuota = madeKey('free').quota,
) => {
  const late = single(100_000, 0, { status: 429 })
  return madeEvidence([single(0, 59), single(61_000, shown), ...between, late], {
    run: { keys: [{ ...madeKey('free'), quota }] },
    ledgers: [burst(admitted)],
  })
}

/** Of a quota that may refuse too early by this share. */
const within = (early: number | null, evidence: Evidence): Evidence => {
  const view = viewOf(evidence)
  return { ...evidence, view: { ...view, quota: { ...view.quota, exact: { over: 0, early } } } }
}

verdictTable(remainingKept, [
  ['what remains after the first request is one less', seen(59, 59), { verdict: 'pass', witnesses: ['x2'] }],
  [
    'the first request is not counted in',
    seen(60, 59),
    {
      verdict: 'fail',
      code: 'refused-with-some-left',
      facts: { plan: 'free', limit: 60, remaining: 60, spent: 59 },
      witnesses: ['x2', 'burst-free#59'],
    },
  ],
  ['as many as it said are admitted after it, for a new window began', seen(60, 60), { verdict: 'pass' }],
  [
    'a later answer says one more than is admitted after it',
    seen(59, 58, [single(61_050, 59)]),
    {
      verdict: 'fail',
      code: 'refused-with-some-left',
      facts: { plan: 'free', limit: 60, remaining: 59, spent: 58 },
      witnesses: ['x3', 'burst-free#58'],
    },
  ],
  [
    'another operation in between may count twice',
    seen(59, 57, [single(61_030, 58), single(61_060, 58, { status: 404, operation: 'getPet' })]),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'a refusal that is under way with the answer may count',
    seen(59, 58, [
      single(61_050, 59, { tookMs: 30 }),
      single(61_060, 0, { status: 429, headers: { 'Retry-After': '3600' } }),
    ]),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'a request in between may have been counted',
    seen(60, 59, [single(61_050, 60, { status: 404, operation: 'getPet' })]),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['an answer was lost in between', seen(60, 59, [single(61_050, 60, { status: null })]), { verdict: 'pass' }],
  [
    'somebody else spends the key',
    seen(60, 57, [single(61_030, 58), single(61_060, 55)]),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['it says as many more as the tolerance is', within(0.1, seen(60, 54)), { verdict: 'inconclusive' }],
  ['it says one more than that', within(0.1, seen(60, 53)), { verdict: 'fail', code: 'refused-with-some-left' }],
  ['nothing is promised of too few', within(null, seen(59, 54)), { verdict: 'inconclusive' }],
  ['it is above the limit, which is another clause’s', seen(120, 59), { verdict: 'inconclusive' }],
  [
    'the limits of minute and day are the same',
    seen(60, 59, [], { limit: 60, longer: 60 }),
    { verdict: 'inconclusive' },
  ],
])

it.each([
  ['the only quota', true],
  ['one of two, and the other may have refused', false],
])('goes by a refusal that shows no quota where it is of %s', (_, isOnlyQuota) => {
  const [key] = judgedKeys(playedOn(fixed()))
  const limits = key.record.limit.map((each, i) => (key.record.status[i] === 429 ? Number.NaN : each))
  const bare = { ...key, record: { ...key.record, limit: limits }, isOnlyQuota }
  expect([...spentToRefusal(bare)].length > 0).toBe(isOnlyQuota)
})
