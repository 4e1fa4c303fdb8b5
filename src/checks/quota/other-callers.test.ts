import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { quotaView } from '../../readings/quota-views.js'
import { dialects, madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { plansApart } from './plans-apart.js'

const windowed = { windowMs: 60_000, models: [...modelNames] }
const contract = madeContract(dialects.epoch, {
  credentials: { user: { scheme: 'bearer' }, anon: { scheme: 'none' } },
  quotas: [
    madeQuota({ id: 'core', limit: { user: 40 }, ...windowed }),
    madeQuota({ id: 'address', by: 'address', limit: { anon: 8 }, ...windowed }),
  ],
  refusals: [{ is: 'quota', status: [429], when: {} }],
})

/** What `anon` is told before and after requests of `user`: a status, and what is left where it shows that. */
const verdictOf = (byUser: number, [status, left]: readonly [number, number?], first = 7) => {
  const asked = (at: number, key: string, step: string, limit: number, told: readonly [number, number?]) => ({
    ...madeExchange({
      id: `x${at}`,
      sentAt: at,
      status: told[0],
      probe: 'isolation',
      step,
      intent: { spent: 'user' },
      credential: 'agreed',
      headers: told[1] === undefined ? {} : { 'X-RateLimit-Limit': `${limit}`, 'X-RateLimit-Remaining': `${told[1]}` },
    }),
    key,
    operation: 'items',
    quota: 'address',
  })
  const exchanges = [
    asked(0, 'anon', 'ahead', 8, [200, left === undefined ? undefined : first]),
    ...Array.from({ length: byUser }, (_, i) => asked(10 + i, 'user', 'by-another', 40, [200, 39 - i])),
    asked(100, 'anon', 'beside', 8, [status, left]),
  ]
  const keys = ['user', 'anon'].map((name) => ({ name, plan: name, quota: { limit: 1, longer: 1 } }))
  const { verdict, code } = plansApart.judge(
    quotaView({ ...madeEvidence([], { run: { contract, keys } }), exchanges }, 'address'),
  )
  return [verdict, code]
}

it.each<[string, number, readonly [number, number?], number | undefined, readonly [string, string]]>([
  ['is told by what is left', 5, [200, 6], undefined, ['pass', 'told']],
  ['is told by nothing where too few were sent to be seen', 2, [200, 6], undefined, ['inconclusive', 'not-told']],
  ['is told by nothing where a new window has begun', 5, [200, 7], undefined, ['inconclusive', 'not-told']],
  ['is told without Remaining where they would have spent it', 8, [200], undefined, ['pass', 'told']],
  ['is not told without Remaining where they would not', 7, [200], undefined, ['inconclusive', 'not-told']],
  ['is broken where as much less is left', 5, [200, 1], undefined, ['fail', 'drawn-by-another-caller']],
  ['is not proven broken where less is left by another number', 5, [200, 3], undefined, ['inconclusive', 'not-told']],
  ['is broken where it is refused', 8, [429, 0], undefined, ['fail', 'held-back-by-another-caller']],
  ['is not proven broken where little was left before', 8, [429, 0], 1, ['inconclusive', 'key-spent-already']],
])('that requests of another quota draw from none %s', (_name, byUser, told, first, expected) => {
  expect(verdictOf(byUser, told, first)).toEqual(expected)
})
