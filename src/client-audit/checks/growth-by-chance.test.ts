import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kit/random.js'
import { clientEvidence } from '../waits/story.js'
import { simulatedAudit } from '../waits/testing/simulated-audit.js'
import { waitsGrow } from './own-waits.js'

const growthOfClient = (attempts: number, waitMs: (attempt: number) => number) => {
  const audit = simulatedAudit([{ id: 'absent', plays: 10 }], ({ attempt }) =>
    attempt + 1 >= attempts ? undefined : waitMs(attempt),
  )
  return waitsGrow.judge(clientEvidence(audit)).verdict
}

const counted = (verdicts: readonly (string | undefined)[], verdict: string): number =>
  verdicts.filter((each) => each === verdict).length

const from = (first: number, seeds: number): number[] => Array.from({ length: seeds }, (_, at) => first + at)

describe('growth under full jitter, of which a single play shows nothing', () => {
  const exponential = (seed: number) => {
    const { float } = seededRandom(seed)
    const [baseMs, factor, capMs] = [600 + float() * 1_400, 1.8 + float() * 2.2, 20_000 + float() * 40_000]
    const attempts = 4 + Math.floor(float() * 4)
    const lateMs = float() * 40
    return growthOfClient(
      attempts,
      (attempt) => Math.min(capMs, baseMs * factor ** attempt) * (0.001 + float()) + lateMs,
    )
  }

  it('never fails where the waits double, and is mostly proven', () => {
    // The first three are those that once were failed, of 12,000.
    const verdicts = [808, 5_257, 7_515, ...from(1, 500)].map(exponential)
    expect(counted(verdicts, 'fail')).toBe(0)
    expect(counted(verdicts, 'pass')).toBeGreaterThan(0.65 * verdicts.length)
  })

  it('is never proven where the waits stay, whatever their jitter', () => {
    const constant = (seed: number) => {
      const { float } = seededRandom(seed)
      const [least, attempts] = [float(), 4 + Math.floor(float() * 5)]
      return growthOfClient(attempts, () => 2_000 * (least + (1 - least) * float()) + 1)
    }
    const verdicts = from(1, 500).map(constant)
    expect(counted(verdicts, 'pass')).toBe(0)
    expect(counted(verdicts, 'fail')).toBeGreaterThan(0.5 * verdicts.length)
  })

  it('is hardly ever proven where the waits grow by equal steps, jittered by half', () => {
    const byStep = (seed: number) => {
      const { float } = seededRandom(seed)
      return growthOfClient(5, (attempt) => 1_000 * (attempt + 1) * (1 + float() / 2))
    }
    expect(counted(from(1, 500).map(byStep), 'pass')).toBeLessThan(0.02 * 500)
  })
})
