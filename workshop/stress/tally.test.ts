import { describe, expect, it } from 'vitest'
import type { ConditionName } from './conditions.js'
import { renderStress } from './render-stress.js'
import type { StressResult } from './results.js'
import { asPercent, complaintsOf, redShare, tallyOf } from './tally.js'

const fault = (id: string, condition: ConditionName, differs: Partial<StressResult> = {}): StressResult => ({
  condition,
  kind: 'fault',
  id,
  seed: 1,
  timeScale: 10,
  build: 'b1',
  commit: null,
  expected: ['INV-1'],
  failing: ['INV-1'],
  open: [],
  passing: [],
  exact: true,
  exitCode: 1,
  seconds: 40,
  ...differs,
})

const variation = (id: string, condition: ConditionName, differs: Partial<StressResult> = {}): StressResult =>
  fault(id, condition, { kind: 'variation', expected: [], failing: [], exitCode: 0, ...differs })

const open = { failing: [], open: ['INV-1'], exact: false, exitCode: 2 }

/** So many faults, of which so many are left open. */
const row = (condition: ConditionName, size: number, left: number): StressResult[] =>
  Array.from({ length: size }, (_, at) => fault(`fault-${at}`, condition, at < left ? open : {}))

const trialsOf = (results: readonly StressResult[]) => [...new Set(results.map(({ id }) => id))].map((id) => ({ id }))

const tallied = (...results: StressResult[]) => tallyOf(results, trialsOf(results))

describe('the tally under stress', () => {
  it.each<[ConditionName, number, number, number]>([
    ['quiet', 100, 3, 0],
    ['quiet', 100, 4, 1],
    ['slow', 100, 10, 0],
    ['slow', 100, 11, 1],
    ['crowded', 10, 2, 1],
  ])('%s, %i faults of which %i are left open: %i complaints', (condition, size, left, complaints) => {
    expect(complaintsOf(tallied(...row(condition, size, left)))).toHaveLength(complaints)
  })

  it('complains of each that must never be, whatever came of another play', () => {
    const green = fault('a-green', 'slow', { failing: [], exact: false, exitCode: 0 })
    const accused = variation('an-accused', 'slow', { failing: ['RATE-5'], exact: false, exitCode: 1 })
    const broken = variation('a-broken', 'slow', { failing: ['broke down: it'], exact: false, exitCode: 4 })
    const rows = row('slow', 30, 0)
    expect(complaintsOf(tallied(...rows, green, fault('a-green', 'slow'), accused, broken))).toEqual([
      'slow: a-green is a fault, and nothing said so',
      'slow: an-accused conforms, and was accused (RATE-5)',
      'slow: a-broken could not be played (broke down: it)',
    ])
  })

  it('knows what was not played, and counts a variation that is left open as no complaint', () => {
    const results = [fault('one', 'slow'), variation('other', 'slow', { open: ['RATE-6'], exact: false, exitCode: 2 })]
    const tallies = tallyOf(results, [{ id: 'one' }, { id: 'other' }, { id: 'third' }])
    expect(tallies.map(({ condition, missing }) => [condition, missing])).toEqual([['slow', ['third']]])
    expect(complaintsOf(tallies)).toEqual([])
  })

  it('rounds no share up', () => {
    expect(asPercent(0.96999)).toBe('96.9 %')
    expect(redShare(tallied(...row('slow', 3, 1))[0])).toBeCloseTo(2 / 3)
  })
})

describe('the page of the matrix under stress', () => {
  const results = [
    fault('list-wrapped', 'quiet'),
    fault('list-wrapped', 'slow', open),
    fault('window-too-long', 'slow', { expected: ['INV-1', 'RATE-5'], passing: ['RATE-5'], exact: false }),
    variation('gzip', 'quiet'),
    variation('gzip', 'slow', { build: 'b2', commit: 'a1b2c3d of 2026-11-22' }),
  ]
  const page = renderStress(tallyOf(results, trialsOf(results)))

  it.each([
    ['each condition', '| quiet | 1 | 1 | 0 | 0 | **0** | 100.0 % | 1 | 1 | 0 | **0** | 0 |'],
    ['what is red otherwise, and what is open', '| slow | 2 | 0 | 1 | 1 | **0** | 50.0 % | 1 | 1 | 0 | **0** | 0 |'],
    ['each clause in each condition', '| INV-1 | 1 / 0 / 0 | 1 / 1 / 0 |'],
    ['a clause that no fault breaks in one of them', '| RATE-5 | — | 0 / 0 / 1 |'],
    ['each trial that was not settled', '| slow | `list-wrapped` | inconclusive (2) | INV-1 | — | — | INV-1 |'],
    ['what was not played yet', 'Not played yet, quiet: `window-too-long`.'],
    ['with which builds it was played', 'Played with build b1, commit a1b2c3d of 2026-11-22.'],
  ])('shows %s', (_, line) => {
    expect(page.split('\n')).toContain(line)
  })
})
