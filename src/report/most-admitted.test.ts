import { expect, it } from 'vitest'
import type { QuotaRow } from './model.js'
import { besideLimitInWords, mostAdmittedInWords } from './quotas.js'
import { failingReport } from './testing/failing-report.js'
import { passingReport } from './testing/passing-report.js'

const [free] = passingReport.quotas as [QuotaRow]
const beyond: QuotaRow = { ...free, admitted: 66 }

it.each<[string, QuotaRow, string | undefined]>([
  ['within the limit', free, undefined],
  [
    'below it, for the window was used before',
    { ...free, admitted: 29, refused: 61 },
    'requests before this burst counted too',
  ],
  ['below it, and nothing was refused', { ...free, admitted: 29, refused: 0 }, undefined],
  [
    'beyond it',
    beyond,
    '66 with a limit of 60 is no breach: the burst fell into two windows, and each may admit its 60',
  ],
  [
    'of a bucket',
    { ...beyond, bucket: { refill: 1, everyMs: 100 } },
    '66 with a limit of 60 is no breach: a full bucket admits 60 at once, plus what it refills meanwhile',
  ],
  ['of a broken limit', { ...beyond, verdict: 'fail' }, undefined],
  ['of a whole run', { ...beyond, history: { ...free.history, sent: free.sent } }, undefined],
])('says why another number than the limit is no breach: %s', (_, quota, words) => {
  expect(besideLimitInWords(quota)).toBe(words)
})

it('names what breaks a limit beside a span that alone proves nothing', () => {
  const broken = failingReport.quotas.find(({ breach }) => breach !== undefined)
  if (broken?.breach === undefined) throw new Error('no breach')
  const edge = { ...broken, worstMinute: broken.limit * 2 - 1 }
  expect(mostAdmittedInWords(edge)).toMatch(
    /That alone proves nothing: .* What breaks the limit is the 380 admitted within 1\.4 s: no permitted way of counting/,
  )
  const early = { ...edge, breach: { ...broken.breach, kind: 'early-refusal' as const, admitted: 41 } }
  expect(mostAdmittedInWords(early)).toContain('What breaks the limit is the refusal with at most 41 admitted')
})
