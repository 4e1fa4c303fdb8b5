import { expect, it } from 'vitest'
import { limitInWords, mostAdmittedInWords, windowInWords } from './quotas.js'
import { passingReport } from './testing/passing-report.js'

const [made] = passingReport.quotas
const bucket = {
  ...made,
  window: 'calls',
  limit: 40,
  windowMs: 20_000,
  bucket: { refill: 2, everyMs: 1_000 },
  worstMinute: 67,
  verdict: 'fail',
} as const

it('a bucket is told by what it holds and what flows in, and not by windows', () => {
  expect(limitInWords(bucket)).toBe('40 requests at once, and 2 more every 1.0 s')
  expect(windowInWords(bucket)).toBe('at once')
  expect(mostAdmittedInWords(bucket)).toContain('a full bucket admits 40 at once')
  expect(mostAdmittedInWords({ ...bucket, worstMinute: 81 })).toContain('more than a full bucket and its refill')
  const { bucket: _, ...windows } = bucket
  expect(limitInWords(windows)).toBe('40 requests in 20.0 s')
  expect(mostAdmittedInWords(windows)).toContain('where one window ends')
})
