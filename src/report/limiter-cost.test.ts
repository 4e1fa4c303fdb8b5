import { expect, test } from 'vitest'
import { limiterCostInWords } from './summary.js'

const of = (count: number, p50: number, p99: number) => ({ count, p50, p90: p99, p99, max: p99 })

const still = (round: number, stoodStillMs: number) => ({ round, admitted: null, refused: null, stoodStillMs })

test.each([
  [
    {
      admitted: of(240, 15.5, 84),
      refused: of(120, 5.4, 34),
      share: null,
      withheld: true,
      rounds: [still(1, 310), still(2, 3), still(3, 84)],
    },
    'admitted p50 15.5 ms, p99 84 ms (240); refused p50 5.4 ms, p99 34 ms (120): the cost of a refusal is withheld: this machine stalled for 310 ms in round 1 and for 84 ms in round 3, which may explain the difference',
  ],
  [
    { admitted: of(240, 15.5, 84), refused: of(120, 5.4, 34), share: 0.348, rounds: [still(1, 3), still(2, 21)] },
    'admitted p50 15.5 ms, p99 84 ms (240); refused p50 5.4 ms, p99 34 ms (120): a refusal costs 0.35 of an answer (this machine stalled for 21 ms in round 2, which changes this by a tenth at most)',
  ],
  [
    { admitted: of(240, 15.5, 84), refused: of(120, 5.4, 34), share: 0.348 },
    'admitted p50 15.5 ms, p99 84 ms (240); refused p50 5.4 ms, p99 34 ms (120): a refusal costs 0.35 of an answer',
  ],
  [
    { admitted: of(240, 15, 84), refused: null, share: null },
    'admitted p50 15 ms, p99 84 ms (240); refused: none: nothing was refused, so the cost of a refusal is unknown',
  ],
  [
    { admitted: of(240, 15, 84), refused: of(3, 5, 34), share: null },
    'admitted p50 15 ms, p99 84 ms (240); refused p50 5 ms, p99 34 ms (3): too few answers to say what a refusal costs',
  ],
  [
    { admitted: null, refused: of(30, 5, 34), share: null },
    'admitted: none; refused p50 5 ms, p99 34 ms (30): nothing was admitted, so there is no admitted answer to compare a refusal with',
  ],
])('says what the limiter costs: %#', (row, words) => {
  expect(limiterCostInWords({ plan: 'free', withheld: false, rounds: [], ...row })).toBe(words)
})
