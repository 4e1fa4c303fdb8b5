import { expect, it } from 'vitest'
import { renderClientJunit } from './client-formats.js'
import { heldAgainst } from './grade-headline.js'
import type { ClientReport } from './model.js'
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
    const held = heldAgainst(report, 'D', null)
    expect([held.outcome, held.headline, held.run.exitCode]).toEqual([report.outcome, report.headline, exitCode])
  }
})

it.each([
  ['quotaspec client -- node bot.mjs', 'quotaspec client --at-least B -- node bot.mjs'],
  ['quotaspec client --case a --at-least C --strict -- bot', 'quotaspec client --case a --at-least B --strict -- bot'],
  ['quotaspec client -- bot --at-least C -- x', 'quotaspec client --at-least B -- bot --at-least C -- x'],
  ['quotaspec client --at-least A --listen', 'quotaspec client --at-least B --listen'],
])('the commands that repeat it ask for the grade that it is held against: %s', (command, told) => {
  const report = { ...goodClient, run: { ...goodClient.run, command }, retry: { command, tookMs: 1 } }
  const held = heldAgainst(report, 'B', null)
  expect([held.run.command, held.retry?.command]).toEqual([told, told])
  expect(heldAgainst(report, undefined, null)).toBe(report)
})

it('a grade that falls short is a failure, or an error where it is open, to who reads JUnit XML', () => {
  const kinds = (['A', 'C', 'D'] as const).map((worst) => {
    const xml = renderClientJunit(heldAgainst(graded(worst === 'D' ? 'C' : 'A', worst), 'B', null))
    return /<testcase name="grade"[^>]*>\s*<(failure|error) type="grade" message="Asked for/.exec(xml)?.[1]
  })
  expect(kinds).toEqual([undefined, 'error', 'failure'])
})
