import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence, madeKey, wallStartMs } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { viewOf } from '../../readings/quota-views.js'
import { verdictTable } from '../testing/verdict-table.js'
import { remainingNotTooLow } from './remaining-kept.js'
import { bucket, fixed, openedAt, type PlayedLimiter, playedOn, windowMs } from './testing/played-limiter.js'

/** Shows so many less than are left. */
const less =
  (by: number, limiter: PlayedLimiter): PlayedLimiter =>
  (at) => {
    const decision = limiter(at)
    return { ...decision, remaining: Math.max(0, decision.remaining - by) }
  }

/** Loads of 90, of which so many are admitted; each shows the end of a window that it opens. */
const loadsOf90 = (...admitted: readonly number[]) =>
  madeEvidence([], {
    run: { keys: [madeKey('free')] },
    ledgers: admitted.map((most, nth) => {
      const at = openedAt + nth * 150_000
      const reset = Math.ceil((at + windowMs + wallStartMs) / 1000)
      const rows = Array.from({ length: 90 }, (_, i) => {
        const shown = { sentMs: at + 3 * i, limit: 60, remaining: Math.max(0, 59 - i), reset }
        return i < most ? { ...shown, status: 200 } : { ...shown, status: 429, retryAfter: 60 }
      })
      return madeLedger(rows, { id: `load-${nth}`, probe: nth === 0 ? 'burst' : 'split' })
    }),
  })

/** A window that is spent shortly before its end, an answer that names it as it ends and is counted in the next, and a load in that. */
const namedBehindTheEdge = () => {
  const endMs = openedAt + windowMs
  const rows = (at: number, amount: number, left: number, resetMs: number) =>
    Array.from({ length: amount }, (_, i) => ({
      ...{ sentMs: at + 3 * i, limit: 60, remaining: Math.max(0, left - i), reset: (resetMs + wallStartMs) / 1000 },
      ...(i <= left ? { status: 200 } : { status: 429, retryAfter: 60 }),
    }))
  const evidence = madeEvidence([], {
    run: { keys: [madeKey('free')] },
    ledgers: [
      madeLedger(rows(openedAt, 1, 59, endMs), { id: 'opener', probe: 'burst' }),
      madeLedger(rows(endMs - 500, 89, 58, endMs), { id: 'spent', probe: 'burst' }),
      madeLedger([{ ...rows(endMs - 2, 1, 59, endMs)[0], tookMs: 2 }], { id: 'edge', probe: 'burst' }),
      madeLedger(rows(endMs + 200, 89, 58, endMs + windowMs), { id: 'next', probe: 'split' }),
    ],
  })
  return { ...evidence, view: { ...viewOf(evidence), namesWaits: true } }
}

/** Of a quota that may admit too many by this share. */
const within = (over: number, evidence: Evidence): Evidence => {
  const view = viewOf(evidence)
  return { ...evidence, view: { ...view, quota: { ...view.quota, exact: { over, early: 0 } } } }
}

verdictTable(remainingNotTooLow, [
  ['as many are admitted as it said', playedOn(fixed()), { verdict: 'pass', code: 'told' }],
  [
    'ten less are shown than are left',
    playedOn(less(10, fixed())),
    {
      verdict: 'fail',
      code: 'more-admitted-than-remained',
      facts: { plan: 'free', limit: 60, remaining: 49, admitted: 59 },
      witnesses: ['x2', 'burst-free#49'],
    },
  ],
  ['less is shown than is left, within the tolerance', within(0.1, playedOn(less(6, fixed()))), { verdict: 'pass' }],
  [
    'less is shown than is left, beyond the tolerance',
    within(0.1, playedOn(less(7, fixed()))),
    { verdict: 'fail', code: 'more-admitted-than-remained' },
  ],
  ['more is said to remain than is left', playedOn(less(-3, fixed())), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'a request that failed may have been counted, and counted back',
    playedOn(less(10, fixed()), {
      beside: [-50, 50, 83_990, 113_990, 155_990].map((ms) => ({
        probe: 'unknown-pet',
        operation: 'updateInventory',
        sentAt: openedAt + ms,
        status: 404,
      })),
    }),
    { verdict: 'inconclusive' },
  ],
  [
    'a bucket shows less than it holds, each time',
    playedOn(less(1, bucket(Math.floor))),
    { verdict: 'inconclusive', code: 'bucket-shown-short', facts: { plan: 'free', limit: 60, remaining: 58 } },
  ],
  [
    'no limiter explains what was admitted',
    playedOn(less(10, fixed()), { key: { quota: { limit: 50, longer: 1_000 } } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'more are admitted in one window, by its Reset, than the limit: Remaining is right, and the limit or Reset is not',
    loadsOf90(78, 60),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'a window that is named as it ends is over: what is counted behind it is of the next',
    namedBehindTheEdge(),
    { verdict: 'pass' },
  ],
  [
    'no Reset shows which window it is, and the first answer after a silence is as it should be',
    playedOn(fixed(), { resetOf: () => Number.NaN }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'no Reset shows which window it is, and the first answer after a silence shows one less',
    playedOn(less(1, fixed()), { resetOf: () => Number.NaN }),
    { verdict: 'fail', code: 'full-quota-shown-short', facts: { plan: 'free', limit: 60, remaining: 58 } },
  ],
])
