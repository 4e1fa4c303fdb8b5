import { expect, it } from 'vitest'
import type { ClientReport } from '../../report/client/model.js'
import { heldAgainst } from './asked-grade.js'
import { goodClient } from './testing/sample-client-reports.js'

type Letter = ClientReport['grade']['best']

const reason = { code: 'a', sentence: 'who knows', advice: null, case: null, leftOut: false, witnesses: [] }

/** A report that passes by itself, with a grade that lies between the two. */
const graded = (best: Letter, worst: Letter, stalledMs: number | null = 109): ClientReport => ({
  ...goodClient,
  grade: {
    letter: best === worst ? best : null,
    best,
    worst,
    reasons: worst === 'A' ? [] : [{ ...reason, atBest: worst, state: best === worst ? 'stands' : 'open', stalledMs }],
  },
})

it.each<[Letter, Letter, string, number, string | null]>([
  ['A', 'A', 'A', 0, null],
  ['B', 'B', 'B', 0, null],
  ['B', 'B', 'C', 0, null],
  ['C', 'C', 'B', 1, 'Asked for at least B. Grade C: who knows'],
  ['A', 'C', 'C', 0, null],
  ['A', 'C', 'D', 0, null],
  [
    'A',
    'C',
    'B',
    2,
    'Asked for at least B; the grade is A to C: one point is open because this machine stalled for 109 ms',
  ],
  [
    'A',
    'C',
    'A',
    2,
    'Asked for at least A; the grade is A to C: one point is open because this machine stalled for 109 ms',
  ],
  [
    'C',
    'D',
    'B',
    1,
    'Asked for at least B; the grade is C to D: one point is open because this machine stalled for 109 ms',
  ],
])('from %s to %s, with %s asked for, the exit code is %d', (best, worst, asked, exitCode, headline) => {
  const before = graded(best, worst)
  const held = heldAgainst(before, asked, null)
  expect({ exitCode: held.run.exitCode, headline: held.headline }).toEqual({
    exitCode,
    headline: headline ?? before.headline,
  })
  expect(held.outcome).toBe((['pass', 'fail', 'inconclusive'] as const)[exitCode])
})

it('of a few cases alone the headline says how few', () => {
  expect(heldAgainst(graded('A', 'F'), 'B', { played: 1, of: 27 }).headline).toBe(
    'Asked for at least B. Only 1 of 27 cases played: no grade; what they show: nothing against it',
  )
})

it('what fails, or is open by itself, stays so', () => {
  for (const exitCode of [1, 2, 4, 130]) {
    const report = { ...goodClient, run: { ...goodClient.run, exitCode } }
    expect(heldAgainst(report, 'D', null)).toBe(report)
  }
})
