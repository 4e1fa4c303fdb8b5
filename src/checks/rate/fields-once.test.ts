import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { fieldsOnce } from './headers.js'

const keys = [{ name: 'free', plan: 'free', quota: { limit: 60, longer: 1 } }]

/** A run by a contract with these fields, of which one answer was judged. */
const found = (fields: readonly string[], headers: Readonly<Record<string, string | readonly string[]>>) => {
  const contract = madeContract(fields, { quotas: [madeQuota({ models: [...modelNames] })] })
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  const x = madeExchange({ id: 'x1', sentAt: 0, credential: 'agreed' })
  const answered = x.response && { ...x.response, headers: lines }
  const exchanges = [{ ...x, operation: 'items', response: answered }]
  const evidence = { ...madeEvidence([], { run: { contract, keys } }), exchanges }
  const { verdict, code } = fieldsOnce.judge(quotaView(evidence, 'core'))
  return [verdict, code]
}

it.each([
  ['holds where it comes once', ['X-Left remaining'], { 'X-Left': '9' }, ['pass', 'told']],
  ['is broken by two', ['X-Left remaining'], { 'x-left': ['9', '9'] }, ['fail', 'field-more-than-once']],
  ['is broken though they differ', ['X-Left remaining'], { 'X-Left': ['9', '8'] }, ['fail', 'field-more-than-once']],
  ['leaves lists be', ['X-Left remaining', 'P policy'], { 'X-Left': '9', P: ['1;w=1', '2;w=2'] }, ['pass', 'told']],
  [
    'leaves a name be that it has twice',
    ['X-L limit', 'X-L remaining'],
    { 'X-L': ['9', '8'] },
    ['inconclusive', 'not-told'],
  ],
  ['leaves others be', ['X-Left remaining'], { 'X-Left': '9', 'X-Other': ['1', '1'] }, ['pass', 'told']],
  ['is open where it never came', ['X-Left remaining'], {}, ['inconclusive', 'not-told']],
] as const)('a field that a contract names %s', (_, fields, headers, expected) => {
  expect(found(fields, headers)).toEqual(expected)
})
