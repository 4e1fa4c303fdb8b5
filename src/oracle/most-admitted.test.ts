import { expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { keyHistory } from '../readings/key-history.js'
import { keyRecord } from '../readings/key-record.js'
import { mostAdmitted } from './came-back-meanwhile.js'

const clock = { from: 0, to: 0, told: true }
const window = { limit: 9, windowMs: 1_000, longer: { limit: 99, windowMs: 86_400_000 } }

type Sent = [sentAt: number, tookMs: number, status?: number]

const mostOf = (exchanges: readonly Sent[]): number => {
  const parts = exchanges.map(([sentAt, tookMs, status = 200]) => ({ sentAt, tookMs, status }))
  const record = keyRecord(madeEvidence(parts), 'free', clock)
  return mostAdmitted({ record, history: keyHistory(record, window, clock), window })
}

it.each<[string, Sent[], number]>([
  ['nothing was admitted', [[100, 1, 429]], 0],
  [
    'all lie within one window',
    [
      [100, 1],
      [500, 1],
      [1_098, 1],
    ],
    3,
  ],
  [
    'one was answered a window after the first was sent',
    [
      [100, 1],
      [500, 1],
      [1_100, 1],
    ],
    2,
  ],
  [
    'answers came late, so that they crowd',
    [
      [100, 1_050],
      [1_050, 10],
      [1_080, 10],
    ],
    2,
  ],
  [
    'some were refused in between',
    [
      [100, 1],
      [200, 1, 429],
      [300, 1],
    ],
    2,
  ],
  [
    'one took longer than a window',
    [
      [100, 1_500],
      [200, 1],
      [300, 1],
    ],
    2,
  ],
])('counts what was certainly admitted in one window where %s', (_name, exchanges, most) => {
  expect(mostOf(exchanges)).toBe(most)
})
