import { describe, expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { Client, rowsOf } from '../../certificate/testing/played-run.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { seededRandom } from '../../kit/random.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { verdictTable } from '../testing/verdict-table.js'
import { notOverAdmitted } from './limit-kept.js'
import { spellingsCheck } from './spellings.js'

const get = (path: string) => ({ method: 'GET' as const, path, headers: {}, expect: [200] })
/** A bucket of 40 that leaks two a second; a search costs five. */
const bucket = madeQuota({
  limit: { free: 2 },
  windowMs: 1_000,
  burst: 40,
  models: ['token-bucket', 'gcra'],
  requests: ['items', 'search'],
  cost: { search: 5 },
})
const contract = madeContract(['X-Used used/limit'], {
  requests: { items: get('/items'), search: get('/search') },
  quotas: [bucket],
})
const keys = [{ name: 'free', plan: 'free', quota: { limit: 40, longer: 1 } }]

const load = (startMs: number, admitted: number, sent: number): MadeRow[] =>
  Array.from({ length: sent }, (_, i) => ({
    sentMs: startMs + i,
    tookMs: 0.5,
    status: i < admitted ? 200 : 429,
    retryAfter: i < admitted ? undefined : 3,
  }))

/** Ten searches, and two seconds later 60 items. */
const played = (searches: number, items: number) => {
  const ledgers = [
    madeLedger(load(30_000, searches, 10), { id: 'by-search-free', probe: 'other-requests', operation: 'search' }),
    madeLedger(load(32_000, items, 60), { id: 'whole-free', probe: 'split', operation: 'items' }),
  ]
  return quotaView(madeEvidence([], { ledgers, run: { contract, keys } }), bucket.id)
}

/** Two items, which leave 38: room for seven searches, and less than the cost of an eighth. */
const playedBehindItems = (searches: number) => {
  const ledgers = [
    madeLedger(load(29_980, 2, 2), { id: 'first-free', probe: 'other-requests', operation: 'items' }),
    madeLedger(load(30_000, searches, 10), { id: 'by-search-free', probe: 'other-requests', operation: 'search' }),
    madeLedger(load(32_000, 4, 60), { id: 'whole-free', probe: 'split', operation: 'items' }),
  ]
  return quotaView(madeEvidence([], { ledgers, run: { contract, keys } }), bucket.id)
}

/** The same on a bucket that counts both, and the phases of a run before. */
const playedWhole = () => {
  const window = { limit: 2, windowMs: 1_000, burst: 40 }
  const make = () => limiters['token-bucket']({ ...window, epochOffsetMs: 0, random: seededRandom(7) })
  const client = new Client(make)
  for (const atMs of [30_000, 60_000, 81_300]) {
    client.load(atMs, 10, 5)
    client.load(atMs + 2_000, 60)
  }
  const rows = (cost: number) => rowsOf(client.played.filter((each) => each.cost === cost))
  const ledgers = [
    madeLedger(rows(5), { id: 'by-search-free', probe: 'other-requests', operation: 'search' }),
    madeLedger(rows(1), { id: 'whole-free', probe: 'split', operation: 'items' }),
  ]
  return quotaView(madeEvidence([], { ledgers, run: { contract, keys } }), bucket.id)
}

describe('other spellings', () => {
  it.each([
    ['fail where the items were admitted as if no search had been', played(8, 40), 'routes-count-alone'],
    ['are not told where the items got what had flowed in since the searches', played(8, 4), 'not-told'],
    ['are not told where the items alone are more than the bucket holds', played(8, 60), 'not-told'],
  ])('%s', (_, evidence, code) => expect(spellingsCheck.judge(evidence)).toMatchObject({ code }))
})

verdictTable(notOverAdmitted, [
  [
    'the items were admitted as if no search had been',
    played(8, 40),
    { verdict: 'fail', facts: { looksLike: 'routes-count-alone' } },
  ],
  [
    'ten searches took what eight should',
    played(10, 4),
    { verdict: 'fail', facts: { looksLike: 'other-cost', looksLikeFacts: { request: 'search' } } },
  ],
  [
    'an eighth search passed, though three were left for it',
    playedBehindItems(8),
    { verdict: 'fail', facts: { looksLike: 'cost-cut-to-left', looksLikeFacts: { request: 'search' } } },
  ],
  [
    'a ninth passed as well',
    playedBehindItems(9),
    { verdict: 'fail', facts: { looksLike: 'other-cost', looksLikeFacts: { request: 'search' } } },
  ],
  ['the items got what had flowed in since the searches', playedWhole(), { verdict: 'pass' }],
])
