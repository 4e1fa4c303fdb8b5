import { describe, expect, it } from 'vitest'
import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import { modelNames } from '../contract/limiter-models.js'
import { madeEvidence, wallStartMs } from '../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { judgedKeys } from '../oracle/judged-keys.js'
import { quotaView, viewOf } from './quota-views.js'
import { saidBy } from './readings.js'
import { dialects, madeContract, madeQuota } from './testing/made-contract.js'

const quotaOf = (given: Partial<QuotaSpec> = {}) => madeQuota({ models: [...modelNames], ...given })

const items = { method: 'GET', path: '/items', headers: {}, expect: [200] }
const contractOf = (fields: readonly string[], given: Partial<ApiContract> = {}) =>
  madeContract(fields, {
    requests: { items, search: { ...items, path: '/search' } },
    quotas: [quotaOf({ requests: ['items', 'search'] })],
    ...given,
  })

const freeKey = { name: 'free', plan: 'free', quota: { limit: 60, longer: 1 } }

interface Asked extends Omit<ExchangePart, 'operation'> {
  readonly operation?: string
  readonly quota?: string
}

const viewed = (
  contract: ApiContract,
  asked: readonly Asked[],
  {
    rows = [],
    quota = 'core',
    operation = 'items',
  }: { rows?: readonly MadeRow[]; quota?: string; operation?: string } = {},
) => {
  const exchanges = asked.map(({ operation: probe = 'items', quota: own, ...part }, i) => ({
    ...madeExchange({ id: `x${i + 1}`, sentAt: i * 100, credential: 'agreed', ...part }),
    operation: probe,
    ...(own === undefined ? {} : { quota: own }),
  }))
  const ledgers = rows.length === 0 ? [] : [madeLedger(rows, { operation, quota })]
  const evidence = { ...madeEvidence([], { run: { contract, keys: [freeKey] }, ledgers }), exchanges }
  return { evidence, view: quotaView(evidence, contract.quotas[0].id) }
}

const shown = (contract: ApiContract, asked: Asked) => {
  const { view } = viewed(contract, [asked])
  const [x] = view.exchanges
  const { limit, remaining, reset } = saidBy(view, x)
  const told = (each: typeof limit) => (each.state === 'number' ? each.value : each.state)
  return { status: x.response?.status, limit: told(limit), remaining: told(remaining), reset: told(reset) }
}

describe('an answer as a quota sees it', () => {
  it('says what the contract’s fields say, Reset in seconds since the epoch', () => {
    const contract = contractOf(['X-Shop-Limit used/limit', 'X-Again reset delta-s'])
    const headers = { 'X-Shop-Limit': '32/40', 'X-Again': '37' }
    // Received 2 ms after it was sent, and 37 s from then on.
    const reset = (wallStartMs + 2) / 1_000 + 37
    expect(shown(contract, { headers })).toEqual({ status: 200, limit: 40, remaining: 8, reset })
  })

  it('shows what a field says that came twice with one value', () => {
    const contract = contractOf(['X-Shop-Limit used/limit', 'X-At reset epoch-ms'])
    const headers = { 'X-Shop-Limit': '32/40, 32/40', 'X-At': '1768478400000, 1768478400000' }
    expect(shown(contract, { headers })).toMatchObject({ limit: 40, remaining: 8, reset: 1768478400 })
  })

  it('has the agreed limit where no field shows one', () => {
    const contract = contractOf(['X-Left remaining'])
    expect(shown(contract, { headers: { 'X-Left': '9' } })).toMatchObject({ limit: 60, remaining: 9, reset: 'absent' })
  })

  it('shows no number where there is one in another unit than a number has', () => {
    const contract = contractOf(['X-Again reset iso-8601'])
    expect(shown(contract, { headers: { 'X-Again': '1768478437' } }).reset).toBe('malformed')
  })

  it('does not show what the contract does not name, whatever it is called', () => {
    const contract = contractOf(['X-Left remaining'])
    expect(shown(contract, { headers: { 'X-RateLimit-Remaining': '3' } })).toMatchObject({ remaining: 'absent' })
  })

  it.each([
    ['a refusal by its status', { status: [403], when: {} }, { status: 403 }, 429],
    [
      'a refusal by a header',
      { status: [403], when: { 'x-left': '0' } },
      { status: 403, headers: { 'X-Left': '0' } },
      429,
    ],
    ['no refusal, for another header', { status: [403], when: { 'x-left': '0' } }, { status: 403 }, 403],
    ['a soft refusal by its body', { status: [200], when: {}, body: 'slow down' }, { body: 'slow down, please' }, 429],
    ['served', { status: [429], when: {} }, { status: 200 }, 200],
    ['neither, where it is not the status that is expected', { status: [429], when: {} }, { status: 204 }, 204],
  ] as const)('is %s', (_, rule, answer, status) => {
    const contract = contractOf(['X-Left remaining'], {
      refusals: [{ is: 'quota', ...rule, status: [...rule.status] }],
    })
    expect(shown(contract, answer).status).toBe(status)
  })

  it('has the wait until its reset where the contract has no Retry-After', () => {
    const contract = contractOf(['X-Again reset delta-s'], { retryAfter: null })
    const { view } = viewed(contract, [{ status: 429, headers: { 'X-Again': '7' } }])
    expect(saidBy(view, view.exchanges[0]).retryAfter).toEqual({ form: 'seconds', seconds: 7 })
  })
})

describe('a load as a quota sees it', () => {
  it('has its rows read by the rules and fields of the contract', () => {
    const rows: MadeRow[] = [
      { sentMs: 0, limit: 60, remaining: 0, reset: 5, flags: ['resetFromNow'] },
      { sentMs: 10, status: 403, flags: ['refusedByRule'] },
      { sentMs: 20, status: 403, flags: ['bannedByRule'] },
    ]
    const [ledger] = viewed(contractOf(dialects.draft07), [], { rows }).view.ledgers
    expect([...ledger.rows.status]).toEqual([200, 429, 403])
    expect(ledger.rows.reset[0]).toBe((wallStartMs + 2) / 1_000 + 5)
  })

  it('counts in every quota of its probe, and shows the fields of its own alone', () => {
    const other = quotaOf({ id: 'search', requests: ['search'] })
    const contract = contractOf(dialects.draft07, { quotas: [quotaOf({ requests: ['items', 'search'] }), other] })
    const rows = [{ sentMs: 0, limit: 10, remaining: 9 }]
    const [ledger] = viewed(contract, [], { rows, quota: 'search', operation: 'search' }).view.ledgers
    expect([ledger.rows.length, ledger.rows.limit[0], ledger.head.probe]).toEqual([
      1,
      Number.NaN,
      'for another quota: burst',
    ])
  })
})

describe('the evidence of a quota', () => {
  it('holds what counts against it, and nothing else', () => {
    const contract = contractOf([], { quotas: [quotaOf({ requests: ['items'] })] })
    const { view } = viewed(contract, [{}, { operation: 'search' }, { key: null }])
    expect(view.exchanges.map(({ id }) => id)).toEqual(['x1'])
  })

  it('counts by address, by credential, or by credential and probe', () => {
    const keyOf = (by: QuotaSpec['by']) =>
      viewed(contractOf([], { quotas: [quotaOf({ by, requests: ['items', 'search'] })] }), [{ operation: 'search' }])
        .view.exchanges[0].key
    expect([keyOf('credential'), keyOf('address'), keyOf('credential+request')]).toEqual([
      'free',
      'address',
      'free--search',
    ])
  })

  it('takes refusals of a block for the block’s, not the quota’s', () => {
    const refusals = [{ is: 'quota' as const, status: [403], when: {}, lastsMs: 10_000 }]
    const contract = contractOf([], { refusals, quotas: [quotaOf({ limit: { free: 2 }, windowMs: 1_000 })] })
    const rows = [
      { sentMs: 0 },
      { sentMs: 10 },
      { sentMs: 20, status: 403, flags: ['refusedByRule' as const] },
      { sentMs: 5_000, status: 403, flags: ['refusedByRule' as const] },
    ]
    const [key] = judgedKeys(viewed(contract, [], { rows }).view)
    expect([...key.record.blocked]).toEqual([0, 0, 0, 1])
    expect(key.judgement).toMatchObject({ verdict: 'pass' })
  })

  it('does not take refusals of a block for what may have spent the quota before the first of them', () => {
    const refusals = [{ is: 'quota' as const, status: [429], when: {}, lastsMs: 10_000 }]
    const contract = contractOf([], { refusals, quotas: [quotaOf({ limit: { free: 10 }, windowMs: 2_000 })] })
    const burst = (admitted: number): MadeRow[] =>
      Array.from({ length: 15 }, (_, i) => ({ sentMs: 20_000, tookMs: 100, status: i < admitted ? 200 : 429 }))
    const verdictOf = (admitted: number) =>
      judgedKeys(viewed(contract, [{ sentAt: 0 }], { rows: burst(admitted) }).view)[0].judgement
    expect(verdictOf(10)).toMatchObject({ verdict: 'pass' })
    expect(verdictOf(9)).toMatchObject({ verdict: 'fail', side: 'early-refusal' })
  })

  it('holds a refusal against the quota whatever wait it names: there is no other window', () => {
    const contract = contractOf([], { quotas: [quotaOf({ limit: { free: 4 }, windowMs: 2_000 })] })
    const early = { status: 429, retryAfter: 10 }
    const rows = [1, 2, 3, 4].map((i) => ({ sentMs: 20_000 + i * 10, ...(i === 4 ? early : {}) }))
    const [key] = judgedKeys(viewed(contract, [{ sentAt: 0 }], { rows }).view)
    expect(key.judgement).toMatchObject({ verdict: 'fail', side: 'early-refusal' })
  })

  it('counts what requests cost, and names them where they break it', () => {
    const costly = (admitted: number): MadeRow[] =>
      Array.from({ length: 20 }, (_, i) => ({ sentMs: 200_000 + i * 50, status: i < admitted ? 200 : 429 }))
    const contract = contractOf([], { quotas: [quotaOf({ requests: ['items'], cost: { items: 5 } })] })
    const verdictOf = (admitted: number) => {
      const [key] = judgedKeys(viewed(contract, [{ sentAt: 0 }], { rows: costly(admitted) }).view)
      return key.judgement?.verdict === 'fail' ? key.judgement.side : key.judgement?.verdict
    }
    expect([verdictOf(12), verdictOf(11), verdictOf(20)]).toEqual(['pass', 'early-refusal', 'inconclusive'])
  })
})

describe('a block', () => {
  const plain: ApiContract['refusals'][number] = { is: 'quota', status: [429], when: {} }
  const blocks = { ...plain, lastsMs: 8_000 }
  const timesOf = (...refusals: ApiContract['refusals']) => {
    const { blockedForMs, blockedAtLeastMs } = viewOf(viewed(contractOf([], { refusals }), [{}]).view)
    return [blockedForMs, blockedAtLeastMs]
  }

  it('lasts for as long as every refusal of a quota has it, and for no time at the least where some block nobody', () => {
    expect(timesOf(plain)).toEqual([0, 0])
    expect(timesOf(blocks)).toEqual([8_000, 8_000])
    expect(timesOf(plain, blocks)).toEqual([8_000, 0])
  })
})
