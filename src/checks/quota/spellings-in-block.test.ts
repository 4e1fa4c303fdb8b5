import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { verdictTable } from '../testing/verdict-table.js'
import { spellingsCheck } from './spellings.js'

const limit = 20

/** Twenty in 2 s; whoever asks for another is shut out for 10 s. */
const contract = madeContract([], {
  retryAfter: null,
  refusals: [{ is: 'quota', status: [429], when: {}, lastsMs: 10_000 }],
  quotas: [madeQuota({ limit: { free: limit }, windowMs: 2_000, models: [...modelNames] })],
})

const plain = (sentAt: number, status: number): ExchangePart => ({ sentAt, status, tookMs: 2, probe: 'burst' })
const spelt = (sentAt: number, status: number): ExchangePart => ({
  ...plain(sentAt, status),
  step: 'spelling',
  intent: { spelling: 'another User-Agent' },
})

/** A key that is spent and shut out from 20 ms on, and what is asked then. */
const seen = (...more: readonly ExchangePart[]) => {
  const exchanges = [plain(-60_000, 200), plain(30, 429), ...more].map((part, i) => ({
    ...madeExchange({ ...part, id: `x${i + 1}`, credential: 'agreed' }),
    operation: 'items',
  }))
  const rows = Array.from({ length: 3 * limit }, (_, i) => ({
    sentMs: i / 3,
    tookMs: 0.05,
    status: i < limit ? 200 : 429,
  }))
  const ledgers = [madeLedger(rows, { operation: 'items' })]
  const run = { contract, keys: [{ ...madeKey('free'), quota: { limit: limit, longer: 1 } }] }
  return quotaView({ ...madeEvidence([], { run, ledgers }), exchanges }, 'core')
}

verdictTable(spellingsCheck, [
  ['another spelling is shut out too', seen(spelt(500, 429), plain(600, 429)), { verdict: 'pass' }],
  [
    'one is admitted while the key is shut out, and the window of its own is new',
    seen(spelt(2_500, 200), plain(2_600, 429)),
    { verdict: 'fail', code: 'spelling-opens-quota', facts: { admitted: 1, refused: [] }, witnesses: ['x2', 'x3'] },
  ],
  [
    'the block had ended by then, for the plain question as well',
    seen(spelt(2_500, 200), plain(2_600, 200)),
    { verdict: 'inconclusive' },
  ],
  [
    'what is refused afterwards may be refused by another block',
    seen(spelt(10_100, 200), plain(10_200, 429)),
    { verdict: 'inconclusive' },
  ],
])
