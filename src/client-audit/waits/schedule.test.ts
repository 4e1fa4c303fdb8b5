import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kit/random.js'
import { scheduleOf } from './schedule.js'
import { clientEvidence } from './story.js'
import { type Policy, simulatedAudit } from './testing/simulated-audit.js'

const capOf = (policy: Policy): number | null =>
  scheduleOf(clientEvidence(simulatedAudit([{ id: 'absent', plays: 10, watchMs: 600_000 }], policy))).capMs

const doubling =
  (attempts: number, capMs: number, jitter: () => number): Policy =>
  ({ attempt }) =>
    attempt < attempts ? Math.min(capMs, 500 * 2 ** attempt) * jitter() : undefined

describe('a cap is claimed', () => {
  it.each<[string, number, number, number | null]>([
    ['of three waits that stay', 6, 4_000, 4_000],
    ['not of two', 5, 4_000, null],
    ['not where none was reached', 6, 60_000, null],
  ])('%s', (_name, attempts, capMs, expected) => {
    expect(capOf(doubling(attempts, capMs, () => 1))).toBe(expected)
  })

  it('never of a client with full jitter that has none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 3, max: 8 }), (seed, attempts) => {
        const { float } = seededRandom(seed)
        expect(capOf(doubling(attempts, Number.POSITIVE_INFINITY, float))).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  it('nor of one whose waits reach beyond it', () => {
    const { float } = seededRandom(5)
    expect(capOf(doubling(8, 10_000, float))).toBeNull()
  })
})
