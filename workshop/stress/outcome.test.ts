import { describe, expect, it } from 'vitest'
import { clauseOutcome, decisive, outcomeOf } from './outcome.js'
import type { StressResult } from './results.js'

const play: StressResult = {
  condition: 'slow',
  kind: 'fault',
  id: 'list-cut-short',
  seed: 1,
  timeScale: 10,
  build: 'b1',
  commit: null,
  expected: ['BASE-1', 'INV-1'],
  failing: [],
  open: [],
  passing: [],
  exact: false,
  exitCode: 2,
  seconds: 40,
}

const variation: Partial<StressResult> = { kind: 'variation', id: 'gzip', expected: [] }
const warned: Partial<StressResult> = { expected: ['RATE-7'], exitCode: 0 }

describe('what a trial under stress came to', () => {
  it.each<[string, Partial<StressResult>, string]>([
    ['all that is broken, and no more', { failing: ['BASE-1', 'INV-1'], exact: true, exitCode: 1 }, 'exact'],
    ['a part of what is broken', { failing: ['BASE-1'], passing: ['INV-1'], exitCode: 1 }, 'otherwise-red'],
    ['something else', { failing: ['QUOTA-1'], exitCode: 1 }, 'otherwise-red'],
    ['nothing red, and something open', { open: ['INV-1'] }, 'inconclusive'],
    ['nothing red, and open only what is not broken', { open: ['QUOTA-2'] }, 'inconclusive'],
    ['what is broken said to hold, though the run is not green', { open: ['BASE-1'], passing: ['INV-1'] }, 'green'],
    ['a run that is green', { exitCode: 0 }, 'green'],
    ['a warning', { ...warned, failing: ['RATE-7'], exact: true }, 'exact'],
    ['a warning that was left open', { ...warned, open: ['RATE-7'] }, 'inconclusive'],
    ['a warning that was not looked at', warned, 'green'],
    ['a breakdown', { failing: ['broke down: it'], exitCode: 4 }, 'broke-down'],
    ['a variation on which all holds', { ...variation, exact: true, exitCode: 0 }, 'exact'],
    ['a variation that leaves something open', { ...variation, open: ['RATE-6'] }, 'inconclusive'],
    ['a variation with a warning', { ...variation, failing: ['RATE-7'], exitCode: 0 }, 'accused'],
    ['a variation on which a gate failed', { ...variation, exact: true, exitCode: 1 }, 'accused'],
  ])('is, with %s', (_, differs, outcome) => {
    expect(outcomeOf({ ...play, ...differs })).toBe(outcome)
  })

  it('is the last of several plays, unless one of them is false', () => {
    const [open, red, green] = [
      { ...play, open: ['INV-1'] },
      { ...play, exact: true, failing: ['BASE-1', 'INV-1'], exitCode: 1 },
      { ...play, exitCode: 0 },
    ]
    expect(decisive([open, red])).toBe(red)
    expect(decisive([green, red])).toBe(green)
    expect(decisive([])).toBeUndefined()
  })

  it.each([
    ['BASE-1', 'red'],
    ['INV-1', 'passed'],
    ['INV-2', 'open'],
    ['INV-3', 'open'],
  ])('of %s is %s', (clause, outcome) => {
    const judged = { ...play, failing: ['BASE-1'], passing: ['INV-1'], open: ['INV-2'] }
    expect(clauseOutcome(judged, clause)).toBe(outcome)
  })
})
