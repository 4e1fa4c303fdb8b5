import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { refusedAsAgreed } from './refusals.js'

const keys = [{ name: 'free', plan: 'free', quota: { limit: 60, longer: 1 } }]

/** A run by a contract that refuses with 403, whose single exchanges and load were answered so. */
const found = (statuses: readonly number[], load: readonly number[] = []) => {
  const contract = madeContract([], {
    refusals: [{ is: 'quota', status: [403], when: {} }],
    quotas: [madeQuota({ models: [...modelNames] })],
  })
  const exchanges = statuses.map((status, i) => ({
    ...madeExchange({ id: `x${i + 1}`, sentAt: i, status, credential: 'agreed' }),
    operation: 'items',
  }))
  const rows = load.map((status, i) => ({
    sentMs: 100 + i,
    status,
    ...(status === 403 ? { flags: ['refusedByRule' as const] } : {}),
  }))
  const ledgers = rows.length === 0 ? [] : [madeLedger(rows, { operation: 'items', quota: 'core' })]
  const evidence = { ...madeEvidence([], { run: { contract, keys }, ledgers }), exchanges }
  const { verdict, code, witnesses } = refusedAsAgreed.judge(quotaView(evidence, 'core'))
  return [verdict, code, witnesses.length]
}

it.each([
  ['holds where each is as agreed', [200, 403], [200, 403, 403], ['pass', 'told', 3]],
  ['is broken by a 429 that nobody agreed to', [200, 429], [], ['fail', 'refused-otherwise', 1]],
  ['is broken by one of a load', [200, 403], [200, 429], ['fail', 'refused-otherwise', 1]],
  ['is open where nothing was refused', [200, 200], [200], ['inconclusive', 'not-told', 0]],
  ['is open where nothing was answered at all', [], [], ['inconclusive', 'not-told', 0]],
] as const)('a refusal as agreed %s', (_, statuses, load, expected) => {
  expect(found(statuses, load)).toEqual(expected)
})
