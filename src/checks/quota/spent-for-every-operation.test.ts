import { wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { bucket, fixed, openedAt, playedOn, windowMs } from '../rate/testing/played-limiter.js'
import { verdictTable } from '../testing/verdict-table.js'
import { spentForEveryOperation } from './spent-for-every-operation.js'

/** What was asked for between the refusals of a window that was spent, and what was answered, in that order. */
const asked = (...answers: readonly [ExchangePart['operation'], number][]): { beside: ExchangePart[] } => ({
  beside: answers.map(([operation, status], i) => ({
    probe: 'burst',
    step: 'spelling',
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

verdictTable(spentForEveryOperation, [
  ['another operation was refused', playedOn(fixed(), asked(['getPet', 429])), { verdict: 'pass', witnesses: ['x3'] }],
  [
    'it was admitted once more, and then refused',
    playedOn(fixed(), asked(['getPet', 200], ['getPet', 429])),
    {
      verdict: 'fail',
      code: 'operation-admitted-while-spent',
      facts: { plan: 'free', operation: 'getPet', admitted: 61, limit: 60 },
      witnesses: ['burst-free#59', 'x3', 'x4'],
    },
  ],
  [
    'it was never refused, so that it may have a count of its own',
    playedOn(fixed(), asked(['getPet', 200], ['updateInventory', 429])),
    { verdict: 'pass', witnesses: ['x4'] },
  ],
  [
    'quota comes back bit by bit',
    playedOn(bucket(Math.floor), asked(['getPet', 200], ['getPet', 429])),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['nothing else was asked for', playedOn(fixed()), { verdict: 'inconclusive', code: 'not-told' }],
])
