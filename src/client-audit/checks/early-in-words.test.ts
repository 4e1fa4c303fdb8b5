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

it.each([
  [
    'blames no stall where it was opened just then, and says what would show it',
    { acceptedAt: 1_004, openedAfter: 990 },
    'a request came 5 ms after a refusal that said Retry-After: 61, on a connection that was accepted 3 ms after it, and may have been opened before, so it may have been under way already (seconds)',
    /keeps its connections open/,
  ],
  [
    'blames the stall where its connection was open by then',
    { at: 1_200, notBefore: 1_010, acceptedAt: 900, openedAfter: 899 },
    'a request came 199 ms after a refusal that said Retry-After: 61, on a connection that was open by then, while the machine stalled, so it may have been under way already (seconds)',
    /^Pause the key[^.]*\.$/,
  ],
])('what may have been under way %s', (_name, known, sentence, mend) => {
  const audit = simulatedAudit([{ id: 'seconds', retryAfter: '61', watchMs: 66_000 }], ({ attempt }) =>
    attempt === 0 ? 5 : undefined,
  )
  const arrivals = audit.arrivals.map((each, at) => (at === 0 ? each : { ...each, connection: 2, ...known }))
  const finding = judgeClient({ ...audit, arrivals }).checks.find(({ check }) => check.id === waitsAsTold.id)?.finding
  if (finding?.code !== 'early-or-under-way') throw new Error(`told of ${finding?.code}`)
  expect(sentenceOf(waitsAsTold, finding)).toBe(sentence)
  expect(waitsAsTold.advice?.[finding.code]?.(finding.facts as never)).toEqual({
    ifItStands: expect.stringMatching(mend),
  })
})
