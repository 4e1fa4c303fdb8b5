import { expect, it } from 'vitest'
import { sentenceOf } from '../../run/judge.js'
import { simulatedAudit } from '../waits/testing/simulated-audit.js'
import { judgeClient } from './judge-client.js'
import { waitsAsTold } from './waits-as-told.js'

it.each([
  [13, 'it came 13 ms after a 429 that said Retry-After: 61 (seconds)'],
  [30_004, 'it came 30.0 s after a 429 that said Retry-After: 61 (seconds)'],
  [60_700, 'it came 300 ms too early, after a 429 that said Retry-After: 61 (seconds)'],
])('what came %i ms after a refusal that named 61 s is told so that it reads as early', (waitMs, sentence) => {
  const cases = [{ id: 'seconds', retryAfter: '61', watchMs: 66_000 }]
  const { checks } = judgeClient(simulatedAudit(cases, ({ attempt }) => (attempt === 0 ? waitMs : undefined)))
  const finding = checks.find(({ check }) => check.id === waitsAsTold.id)?.finding
  expect(finding && sentenceOf(waitsAsTold, finding)).toBe(sentence)
})
