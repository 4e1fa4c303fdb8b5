import { expect, it } from 'vitest'
import { judgeClient } from '../checks/judge-client.js'
import { type Policy, simulatedAudit } from './testing/simulated-audit.js'

/** One request at a time is told 2 s; four workers, whose requests take turns on four connections, are told 3 s. */
const judgedBy = (policy: Policy) => {
  const cases = [
    { id: 'alone', retryAfter: '2' },
    { id: 'together', retryAfter: '3', workers: 4 },
  ]
  const { checks, schedule } = judgeClient(simulatedAudit(cases, policy))
  const finding = checks.find(({ check }) => check.id === 'client.waits-as-told')?.finding
  return { parallel: finding?.facts.parallel, pauses: schedule.pauses }
}

it.each<[string, Policy, ReturnType<typeof judgedBy>]>([
  [
    'another one, where the client keeps its waits alone, though it came on the connection that was refused',
    ({ attempt, retryAfter }) => (attempt > 3 ? undefined : retryAfter === '2' ? 2_005 : 31),
    { parallel: true, pauses: 'request' },
  ],
  [
    'the refused one again, where the client keeps no wait at all, though it came from another worker',
    ({ attempt }) => (attempt > 3 ? undefined : 150 + 20 * attempt),
    { parallel: false, pauses: 'not-shown' },
  ],
])('a request that comes too early is %s', (_name, policy, expected) => {
  expect(judgedBy(policy)).toEqual(expected)
})
