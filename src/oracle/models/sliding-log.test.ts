import { expect, it } from 'vitest'
import { tallyOf } from '../counting/tally.js'
import { historyOf } from '../testing/made-history.js'
import { explain } from './explain.js'
import { leftOutOfLog } from './sliding-log.js'

const window = { limit: 3, windowMs: 60_000 }
const admittedAt = (seconds: readonly number[]) =>
  historyOf(seconds.map((s) => ({ sentMs: s * 1_000, receivedMs: s * 1_000 + 5, outcome: 'admitted' as const })))

it.each([
  ['three in a window', [0, 1, 2, 61, 62, 63], 0],
  ['two too many at once', [0, 1, 2, 10, 11], 2],
  ['one behind what left the log', [0, 30, 31, 59, 61], 1],
  ['what was left out leaves room in no later window', [0, 1, 2, 50, 51, 52, 61, 62, 63], 3],
  ['a limit more in each of two windows that overlap', [0, 1, 2, 30, 31, 32, 61, 62, 63, 91, 92, 93], 6],
])('as many are left out as a log would have refused: %s', (_, seconds, leftOut) => {
  const history = admittedAt(seconds)
  expect(leftOutOfLog(tallyOf(history, window))).toBe(leftOut)
  expect(explain('sliding-log', history, window).verdict).toBe(leftOut === 0 ? 'explained' : 'refuted')
})
