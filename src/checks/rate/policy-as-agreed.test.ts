import { expect, it } from 'vitest'
import type { QuotaSpec } from '../../contract/api-contract.js'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { quotaView } from '../../readings/quota-views.js'
import { dialects, madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { headersPresent, limitOfPlan } from './headers.js'

const twelve = madeQuota({ limit: { free: 12 }, windowMs: 4_000, models: [...modelNames] })
const hourly = { ...twelve, id: 'hourly', limit: { free: 500 }, windowMs: 3_600_000 }
const bucket: QuotaSpec = { ...twelve, limit: { free: 2 }, windowMs: 1_000, burst: 40, models: ['token-bucket'] }
const odd = { ...twelve, windowMs: 2_500 }

/** One answer with these values of the fields, in their order, as it is read of the first quota. */
const answered = (
  fields: readonly string[],
  values: readonly string[],
  quotas: readonly QuotaSpec[] = [twelve],
  timeScale = 1,
) => {
  const contract = madeContract(fields, { quotas: [...quotas] })
  const x = madeExchange({ id: 'x1', sentAt: 0, credential: 'agreed' })
  const headers = fields.map((field, i): [string, string] => [field.split(' ')[0], values[i]])
  const exchanges = [{ ...x, operation: 'items', response: x.response && { ...x.response, headers } }]
  const keys = [{ name: 'free', plan: 'free', quota: { limit: 12, longer: 1 } }]
  return quotaView({ ...madeEvidence([], { run: { contract, keys, timeScale } }), exchanges }, 'core')
}

const found = (...answer: Parameters<typeof answered>) => {
  const { verdict, code } = limitOfPlan.judge(answered(...answer))
  return [verdict, code]
}

const holds = ['pass', 'told']
const broken = ['fail', 'policy-not-as-agreed']
const { draft03, draft07, draft11 } = dialects
const said07 = 'limit=12, remaining=9, reset=3'

it.each([
  ['the window is the agreed one', draft07, [said07, '12;w=4'], undefined, holds],
  ['the window is another', draft07, [said07, '12;w=60'], undefined, broken],
  ['the limit of the window is another', draft07, [said07, '100;w=4'], undefined, broken],
  ['the only policy says nothing of what is agreed', draft07, [said07, '100;w=60'], undefined, broken],
  ['several have a window, none the agreed one', draft07, [said07, '5;w=1, 12;w=60'], undefined, broken],
  ['it names no window', draft07, [said07, '12'], undefined, holds],
  ['a plain list has another', draft03, ['12', '9', '3', '12;w=60'], undefined, broken],
  ['a limit that lists policies has another', draft03, ['12, 12;w=60', '9', '3', ''], undefined, broken],
  ['a named policy has another', draft11, ['"a";r=9;t=3', '"a";q=12;w=60'], undefined, broken],
  ['the only one is another quota’s', draft07, [said07, '12;w=3600'], [twelve, hourly], holds],
  ['each quota has its own', draft07, [said07, '12;w=4, 500;w=3600'], [twelve, hourly], holds],
  ['the quota’s own has another window', draft07, [said07, '12;w=60, 500;w=3600'], [twelve, hourly], broken],
  ['a bucket shows what flows in', draft07, ['limit=40, remaining=9, reset=3', '2;w=1'], [bucket], holds],
  ['a bucket shows what it holds, and how long it fills', draft07, ['limit=40, reset=3', '40;w=20'], [bucket], holds],
  ['a bucket shows what it holds in its window', draft07, ['limit=40, reset=3', '40;w=1'], [bucket], holds],
  ['a bucket shows another rate', draft07, ['limit=40, reset=3', '40;w=60'], [bucket], broken],
  ['whole seconds can’t say the window', draft07, [said07, '12;w=3'], [odd], holds],
] as const)('where %s', (_, fields, values, quotas, expected) => {
  expect(found(fields, values, quotas)).toEqual(expected)
})

it('is held against the window at the time scale of the run', () => {
  expect(found(draft07, [said07, '12;w=2'], [twelve], 2)).toEqual(holds)
  expect(found(draft07, [said07, '12;w=4'], [twelve], 2)).toEqual(broken)
})

it('an answer that has room for one quota, and shows another, lacks nothing of this one', () => {
  const both = '12;w=4, 500;w=3600'
  const codeOf = (shown: string, policies: string) =>
    headersPresent.judge(answered(draft07, [shown, policies], [twelve, hourly])).code
  expect(codeOf('limit=500, remaining=9, reset=3', both)).not.toBe('rate-headers-missing')
  expect(codeOf('limit=12', both)).toBe('rate-headers-missing')
})
