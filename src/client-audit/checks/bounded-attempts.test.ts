import { expect, it } from 'vitest'
import { type Policy, simulatedAudit } from '../waits/testing/simulated-audit.js'
import { judgeClient } from './judge-client.js'

/** Ten plays that name no wait, watched for a minute, beside one that names 2 s. */
const findingOn = (policy: Policy) => {
  const cases = [
    { id: 'seconds', retryAfter: '2' },
    { id: 'absent', plays: 10 },
  ]
  const { checks } = judgeClient(simulatedAudit(cases, policy))
  const { code, facts } = checks.find(({ check }) => check.id === 'client.attempts-bounded')?.finding ?? {}
  return [code, facts?.attempts, facts?.ends]
}

const upTo =
  (attempts: number, own: (attempt: number) => number): Policy =>
  ({ attempt, retryAfter }) =>
    attempt + 1 >= attempts ? undefined : retryAfter === '2' ? 2_005 : own(attempt)

it.each<[string, Policy, readonly unknown[]]>([
  ['end, where each play did', upTo(6, (attempt) => 500 * 2 ** attempt), ['bounded', 6, true]],
  [
    'end, where a play that was cut off had made no more of them than one that ended',
    upTo(7, (attempt) => 1_100 * 2 ** attempt),
    ['bounded', 6, true],
  ],
  [
    'are open, where a play that was cut off had made more of them',
    ({ attempt, retryAfter }) => (retryAfter === '2' ? (attempt < 5 ? 2_005 : undefined) : 2_600),
    ['bound-not-seen', undefined, undefined],
  ],
  ['are open, where none ended', () => 2_600, ['bound-not-seen', undefined, undefined]],
  [
    'are bounded by a wait of a minute',
    ({ retryAfter }) => (retryAfter === '2' ? 2_005 : 61_000),
    ['bounded', 1, false],
  ],
])('its attempts %s', (_name, policy, expected) => {
  expect(findingOn(policy)).toEqual(expected)
})
