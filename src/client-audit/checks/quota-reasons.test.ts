import { expect, it } from 'vitest'
import { clientEvidence } from '../waits/story.js'
import { type SimulatedCase, simulatedAudit } from '../waits/testing/simulated-audit.js'
import { quotaAdvice, quotaReasons, quotaSentences } from './quota-reasons.js'

/** Real quotas of 20 that were asked for 30: 25 requests are served, and then one is refused. */
const told = (cases: readonly SimulatedCase[]) => {
  const audit = simulatedAudit(
    cases.map((each) => ({ ...each, retryAfter: '1' })),
    ({ attempt }) => (attempt < 24 ? 10 : undefined),
  )
  const plays = audit.plays.map((play) => ({
    ...play,
    quota: { requests: 20, windowMs: 4_000, shared: false },
    asked: {
      requests: 24,
      workers: cases.find(({ id }) => id === play.case)?.workers ?? 1,
      operation: 'listInventory',
    },
  }))
  const reasons = quotaReasons(clientEvidence({ ...audit, plays }))
  return reasons.flatMap(({ finding }) =>
    finding.code === 'runs-into-limit'
      ? [{ sentence: quotaSentences[finding.code](finding.facts), advice: quotaAdvice[finding.code]?.(finding.facts) }]
      : [],
  )
}

it('every quota that cost the A is named at once, and many workers are told to count what is under way', () => {
  const [{ sentence, advice }, ...others] = told([{ id: 'one' }, { id: 'many', workers: 20 }])
  expect(others).toEqual([])
  expect(sentence).toMatch(/refused 25 times in 25 requests \(one\) and \d+ times in \d+ requests \(many\)$/)
  expect(advice).toContain('Read X-RateLimit-Remaining')
  expect(advice).toContain(
    'Count the requests under way: send none while there are as many as the lowest Remaining of this window.',
  )
})

it('one worker alone has nothing to count', () => {
  const [{ advice }] = told([{ id: 'one' }])
  expect(advice).toBe(
    'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset (Unix time in seconds) instead of asking.',
  )
})
