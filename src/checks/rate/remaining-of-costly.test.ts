import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { verdictTable } from '../testing/verdict-table.js'
import { remainingInBurst } from './remaining-in-range.js'

const get = (path: string) => ({ method: 'GET' as const, path, headers: {}, expect: [200] })
const contract = madeContract(['X-Used used/limit'], {
  requests: { items: get('/items'), search: get('/search') },
  quotas: [
    madeQuota({ limit: { free: 40 }, requests: ['items', 'search'], cost: { search: 5 }, models: [...modelNames] }),
  ],
})
const keys = [{ name: 'free', plan: 'free', quota: { limit: 40, longer: 1 } }]

/** What is shown to remain by a load of searches, each of which costs five of 40. */
const searches = (...remaining: number[]) => {
  const rows = remaining.map((each, i) => ({ sentMs: 100 + i, limit: 40, remaining: each }))
  const ledger = madeLedger(rows, { id: 'by-search-free', probe: 'other-requests', operation: 'search' })
  return quotaView(madeEvidence([], { ledgers: [ledger], run: { contract, keys } }), 'core')
}
const falling = (from: number, by: number, count: number) => Array.from({ length: count }, (_, i) => from - i * by)

verdictTable(remainingInBurst, [
  ['it falls by what each request costs', searches(...falling(35, 5, 8)), { verdict: 'pass', facts: { told: 1 } }],
  [
    'it falls by one where each request costs five',
    searches(...falling(39, 1, 13)),
    { verdict: 'fail', code: 'remaining-lags-in-burst', facts: { admitted: 13, from: 39, to: 27 } },
  ],
  [
    'a boundary that nothing shows parts the load in two',
    searches(...falling(35, 5, 4), ...falling(35, 5, 4)),
    { verdict: 'pass' },
  ],
  ['requests that are decided together show one value', searches(20, 20, 20, 20, 0, 0, 0, 0), { verdict: 'pass' }],
  ['few were admitted', searches(...falling(39, 1, 7)), { verdict: 'inconclusive', code: 'not-told' }],
])
