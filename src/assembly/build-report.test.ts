import { describe, expect, it } from 'vitest'
import type { Check } from '../checks/framework/check.js'
import { fail, pass } from '../checks/framework/finding.js'
import type { ApiContract } from '../contract/api-contract.js'
import { clauses } from '../contract/clauses.js'
import type { ProbeId } from '../contract/probe-catalogue.js'
import type { Obstacle } from '../evidence/journal.js'
import { type EvidencePart, madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { reportModel } from '../report/model.js'
import { judge } from '../run/judge.js'
import { buildReport } from './build-report.js'

const check = (part: Partial<Check> = {}): Check => ({
  id: 'rate.made',
  promise: 'made',
  clauses: ['RATE-1'],
  reads: 'everything',
  judge: () => pass('held', { examined: 1 }),
  sentences: { held: () => 'held', broken: () => 'broken' },
  ...part,
})

const broken =
  (...ids: readonly string[]) =>
  () =>
    fail('broken', { case: 'GET /inventory', status: 200, detail: 'x' }, ...ids.map((id) => ({ id })))

const report = (parts: readonly ExchangePart[], part: EvidencePart, ...checks: readonly Check[]) => {
  const evidence = madeEvidence(parts, part)
  return buildReport(evidence, judge(evidence, checks), { version: '0.1.0', crashed: false })
}

const rate = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1768478460' }
const run = { probes: [{ probe: 'hello', settings: {} }] }

describe('the report', () => {
  it('has the published shape, and survives JSON as it is', () => {
    const ledgers = [
      madeLedger([
        { sentMs: 500, limit: Number.POSITIVE_INFINITY },
        { sentMs: 600, status: null, flags: ['lost'] },
      ]),
    ]
    const made = report(
      [{ headers: rate }, { status: null }],
      { ledgers, run },
      check({ judge: broken('x1', 'burst-free#0', 'burst-free#1') }),
    )
    expect(() => reportModel.parse(made)).not.toThrow()
    expect(JSON.parse(JSON.stringify(made))).toEqual(made)
  })

  it('has a row for every clause of a target, those without a check as not tested', () => {
    const rows = report([{}], {}, check()).clauses
    expect(rows.map(({ id }) => id)).toEqual(clauses.map(({ id }) => id).filter((id) => !id.startsWith('CLIENT-')))
    expect(rows.find(({ id }) => id === 'RATE-1')).toMatchObject({
      verdict: 'pass',
      area: 'Rate-limit headers',
      checks: ['rate.made'],
    })
    expect(rows.find(({ id }) => id === 'RATE-2')).toMatchObject({
      verdict: 'not-tested',
      reason: 'no check tests this yet',
      checks: [],
    })
  })

  it.each<[string, Partial<Check>, EvidencePart, string, number]>([
    ['holds', {}, {}, 'pass', 0],
    ['fails', { judge: broken('x1') }, {}, 'fail', 1],
    ['proves nothing', { clauses: ['RATE-7'] }, {}, 'inconclusive', 2],
    ['fails where it only should hold', { clauses: ['RATE-7'], judge: broken('x1') }, {}, 'inconclusive', 2],
    [
      'fails where it only should hold, under --strict',
      { clauses: ['RATE-7'], judge: broken('x1') },
      { run: { ...run, strict: true } },
      'fail',
      1,
    ],
    ['was interrupted', { judge: broken('x1') }, { interrupted: true }, 'fail', 130],
  ])('that %s has its outcome and exit code', (_name, part, evidence, outcome, exitCode) => {
    const made = report([{}], evidence, check(part))
    expect([made.outcome, made.run.exitCode]).toEqual([outcome, exitCode])
  })

  it('says with its exit code that a check broke down', () => {
    const crash = check({
      id: 'rate.other',
      judge: () => {
        throw new Error('oh')
      },
    })
    expect(report([{}], {}, check(), crash).run.exitCode).toBe(4)
  })

  it('names what is broken in its headline, and what to do where nothing could be judged', () => {
    expect(report([{}], {}, check({ judge: broken('x1') })).headline).toMatch(
      /^Some answers lack rate-limit headers \(RATE-1\)\./,
    )
  })

  const twoOfPro = [madeKey('free'), madeKey('pro'), madeKey('pro', 'pro-2')]
  const looked = (...obstacles: Obstacle[]): EvidencePart => ({ firstLook: { at: 1, obstacles, ended: true } })
  const hello = (part: ExchangePart): ExchangePart => ({ probe: 'hello', operation: 'listInventory', ...part })
  it.each<[string, readonly ExchangePart[], EvidencePart, RegExp]>([
    [
      'nobody answers',
      [{ status: null }],
      looked({ kind: 'unreachable', exchange: 'x1' }),
      /^http:\/\/127\.0\.0\.1:8080\/v1 accepted the connection but sent no complete answer \(other side closed\)/,
    ],
    [
      'no key is accepted',
      [{ status: 401 }],
      looked({ kind: 'key-rejected', exchange: 'x1' }),
      /^No key was accepted: .* The free key was not accepted: http:\/\/127\.0\.0\.1:8080\/v1\/inventory answered 401.* QUOTASPEC_KEY_FREE\. Nothing else was played\.$/,
    ],
    [
      'one key is not',
      [{}, { status: 401, key: 'pro-2', body: '{"code":"expired"}' }],
      { ...looked({ kind: 'key-rejected', exchange: 'x2' }), run: { keys: twoOfPro } },
      /^The pro-2 key was not accepted: \S+ answered 401: \{"code":"expired"\}\. Check --key, --key-file and QUOTASPEC_KEY_PRO, or leave it out; --without-rejected-keys /,
    ],
    [
      'the address lacks /v1',
      [{ status: 404 }],
      looked({ kind: 'other-base', exchange: 'x1' }),
      /did you mean --target \S+\/v1\?/,
    ],
    [
      'load takes leave',
      [{}],
      looked({ kind: 'load-not-allowed', probes: ['burst'] }),
      /\(burst\), but load is not allowed: add --allow-load/,
    ],
  ])('says what stood in the way and what to type where %s, and judges nothing', (_, parts, look, headline) => {
    const made = report(parts.map(hello), look, check({ judge: broken('x1') }))
    expect(made.headline).toMatch(headline)
    expect([made.outcome, made.run.exitCode]).toEqual(['inconclusive', 2])
    expect(made.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'pass')).toEqual([])
  })

  it('leads to a contract file where there is no inventory, and judges what was asked all the same', () => {
    const firstLook = { at: 1, obstacles: [{ kind: 'no-inventory' as const, exchange: 'x1' }], ended: false }
    const made = report([hello({ status: 404 })], { firstLook }, check({ judge: broken('x1') }))
    expect([made.outcome, made.run.exitCode]).toEqual(['fail', 1])
    expect(made.headline).toMatch(
      /^Some answers lack rate-limit headers \(RATE-1\)\. \S+ answered 404: not a Petstore API\? Pass a contract file: quotaspec discover --target \S+/,
    )
  })

  it('names the variable of a rejected credential as the contract does', () => {
    const contract: ApiContract = {
      name: 'acme',
      credentials: { acme: { scheme: 'bearer', env: 'ACME_KEY' } },
      requests: {},
      headers: [],
      retryAfter: null,
      refusals: [],
      quotas: [],
    }
    const look = looked({ kind: 'key-rejected', exchange: 'x1' })
    const made = report([hello({ status: 401, key: 'acme' })], { ...look, run: { ...run, contract } }, check())
    expect(made.headline).toContain('Check --key, --key-file and ACME_KEY.')
    const nobody: ApiContract = { ...contract, credentials: { acme: { scheme: 'none' } } }
    const open = report([hello({ status: 401, key: 'acme' })], { ...look, run: { ...run, contract: nobody } }, check())
    expect(open.headline).toContain('Check the credentials of the contract.')
  })

  it('never ends with 0 where it went on without a key that was given, whatever was asked for', () => {
    const firstLook = { at: 1, obstacles: [{ kind: 'key-rejected' as const, exchange: 'x2' }], ended: false }
    const made = report([hello({}), hello({ status: 401, key: 'pro' })], { firstLook }, check())
    expect([made.outcome, made.run.exitCode]).toEqual(['inconclusive', 2])
    expect(made.headline).toMatch(
      /^Everything that was tested with the other keys holds\. The pro key was not accepted: /,
    )
    const failing = report(
      [hello({}), hello({ status: 401, key: 'pro' })],
      { firstLook },
      check({ judge: broken('x1') }),
    )
    expect([failing.outcome, failing.run.exitCode]).toEqual(['fail', 1])
    expect(failing.headline).toMatch(
      /^Some answers lack rate-limit headers \(RATE-1\)\. The pro key was not accepted: .* Nothing was tested with it\.$/,
    )
  })

  it('says of a failure where to look first, and of nothing else', () => {
    const advice = ({ code }: { readonly code: string }) => `Check ${code}.`
    const rows = report(
      [{}],
      { run },
      check({ judge: broken('x1'), advice }),
      check({ id: 'rate.held', advice }),
    ).checks
    expect(rows.map((row) => row.advice)).toEqual(['Check broken.', null])
  })

  it('repeats a single check by its command, whatever the run was asked for', () => {
    const command =
      'quotaspec run smoke --target http://127.0.0.1:8080/v1 --only RATE --only AUTH-1 --with burst --seed 7'
    const [row] = report([{}], { run: { ...run, command, only: ['RATE', 'AUTH-1'] } }, check()).checks
    expect(row.command).toBe(
      'quotaspec run smoke --target http://127.0.0.1:8080/v1 --seed 7 --only rate.made --out reports/only/rate.made',
    )
    expect(row.commandMs).toBeGreaterThan(0)
  })

  it('says how long that takes by the plan of its probes, and nothing where one of them is none any more', () => {
    const probesOf = (...ids: ProbeId[]) => ids.map((probe) => ({ probe, settings: {} }))
    const msOf = (ids: ProbeId[]) => {
      const made = report([{}], { run: { ...run, probes: probesOf(...ids) } }, check({ reads: ids }))
      return made.checks[0]?.commandMs
    }
    const [little, much] = [msOf(['hello']), msOf(['hello', 'burst'])]
    expect(much).toBeGreaterThan(60_000 + (little ?? Number.NaN))
    expect(msOf(['hello', 'probe-of-old' as ProbeId])).toBeUndefined()
  })
})

describe('the witnesses', () => {
  it('are shown whole, those of failures first, each once', () => {
    const { exchanges } = report(
      [
        { headers: rate, body: [] },
        { status: 404, body: 'no' },
      ],
      {},
      check({ judge: () => pass('held', { examined: 1 }, { id: 'x1' }, { id: 'x2' }) }),
      check({ id: 'rate.other', judge: broken('x2') }),
    )
    expect(exchanges.map(({ id }) => id)).toEqual(['x2', 'x1'])
    expect(exchanges[0]).toMatchObject({ response: { status: 404, body: 'no', bodyBytes: 2 }, error: null })
    expect(exchanges[0].curl).toMatch(/^curl /)
  })

  it('are shown whole where a load kept one as a sample, its header and its body with it', () => {
    const ledger = madeLedger([{ sentMs: 500, status: 429, retryAfter: 5 }])
    const body = { encoding: 'utf8', content: '{"error":"slow down"}', bytes: 21, truncated: false } as const
    const headers: [string, string][] = [['Cache-Control', 'max-age=60']]
    const sample = { row: 0, status: 429, reason: 'Too Many Requests', headers, body }
    const { exchanges } = report(
      [],
      { ledgers: [{ ...ledger, head: { ...ledger.head, samples: [sample] } }] },
      check({
        judge: () => fail('broken', { cacheControl: 'max-age=60' }, { ledger: 'burst-free', row: 0 }),
      }),
    )
    expect(exchanges[0]?.response).toEqual({
      status: 429,
      reason: 'Too Many Requests',
      headers,
      body: body.content,
      bodyBytes: 21,
    })
  })

  it('may be lines of a ledger', () => {
    const ledgers = [
      madeLedger([
        { sentMs: 500, status: 429, retryAfter: 5, limit: Number.POSITIVE_INFINITY },
        { sentMs: 600, status: null },
      ]),
    ]
    const { exchanges } = report(
      [{}],
      { ledgers },
      check({
        judge: () =>
          fail(
            'broken',
            { case: 'GET /inventory', status: 200, detail: 'x' },
            { ledger: 'burst-free', row: 0 },
            { ledger: 'burst-free', row: 1 },
            { ledger: 'burst-free', row: 2 },
            { ledger: 'none', row: 0 },
            { id: 'x99' },
          ),
      }),
    )
    expect(exchanges.map(({ id }) => id)).toEqual(['burst-free#0', 'burst-free#1'])
    expect(exchanges[0]).toMatchObject({
      sentAt: 500,
      receivedAt: 502,
      response: {
        status: 429,
        headers: [
          ['X-RateLimit-Limit', '(not a plain number)'],
          ['Retry-After', '5'],
        ],
      },
    })
    expect(exchanges[1]).toMatchObject({ receivedAt: null, response: null, error: 'no answer' })
  })

  it('are twelve at the most for each check, and the rest is counted', () => {
    const ids = Array.from({ length: 15 }, (_, i) => `x${i + 1}`)
    const made = report(
      ids.map(() => ({})),
      {},
      check({ judge: broken(...ids) }),
    )
    expect(made.checks[0]).toMatchObject({ witnesses: ids.slice(0, 12), witnessesLeftOut: 3 })
    expect(made.exchanges).toHaveLength(12)
  })

  it('have long bodies cut, and say so', () => {
    const { exchanges } = report([{ body: 'x'.repeat(5_000) }], {}, check({ judge: broken('x1') }))
    expect(exchanges[0].response?.body).toMatch(/^x{4000}… \(5000 characters in all\)$/)
  })
})

describe('what was spent', () => {
  it('stands beside what was planned, by key and probe', () => {
    const requests = [
      { key: 'free', probe: 'hello', requests: 2 },
      { key: 'free', probe: 'hello', requests: 3 },
      { key: 'strangers', probe: 'no-key', requests: 4 },
      { key: 'any', probe: 'asked-again', requests: 1 },
    ]
    const { spending } = report(
      [{}, { asksAgain: 'x1' }, { probe: 'no-key', credential: 'none' }, { probe: 'bad-keys', credential: 'basic' }],
      {
        run: { ...run, planned: { requests, durationMs: 1 }, keys: [madeKey('free')] },
        ledgers: [madeLedger([{ sentMs: 1 }, { sentMs: 2 }])],
      },
      check(),
    )
    expect(spending).toEqual([
      { key: 'free', probe: 'hello', planned: 5, spent: 1 },
      { key: 'strangers', probe: 'no-key', planned: 4, spent: 1 },
      { key: 'any', probe: 'asked-again', planned: 1, spent: 1 },
      { key: 'strangers', probe: 'bad-keys', planned: 0, spent: 1 },
      { key: 'free', probe: 'burst', planned: 0, spent: 2 },
    ])
  })
})

const change: ExchangePart = { operation: 'updateInventory', body: { petId: 7, quantity: 6, status: 'sold' } }
const listing = (quantity: number): ExchangePart => ({ body: [{ petId: 7, quantity, status: 'sold' }] })

describe('the inventory', () => {
  it.each<[string, readonly ExchangePart[], boolean]>([
    ['differs in the listing after the last change', [change, listing(6)], true],
    ['is missing there', [change, { body: [] }], true],
    ['is the same there, and nobody said so', [change, listing(5)], false],
    ['differed only before the last change', [listing(6), change], false],
    ['can’t be read there', [change, { body: 'none' }], false],
    ['is behind a refusal', [change, { status: 403, body: [] }], false],
  ])('that %s was seen to be another: %#', (_, parts, wasSeen) => {
    const [row] = report(parts, { unrestored: [{ petId: '7', quantity: '5' }] }, check()).unrestored
    const show = `curl -sS 'http://127.0.0.1:8080/v1/inventory' -H 'Authorization: Bearer '"$QUOTASPEC_KEY_FREE"`
    expect(row.look).toBe(wasSeen ? null : show)
  })

  it.each<[string, readonly ExchangePart[], readonly object[]]>([
    ['the run put it back', [listing(5), change, listing(5)], []],
    ['it changed after that', [listing(5), change, listing(5), listing(8)], [{ petId: '7', before: '5', after: '8' }]],
    ['another key shows another inventory', [{ ...listing(5), key: 'pro' }, change, listing(6)], []],
    ['nobody looked behind the last change', [listing(5), listing(8), change], []],
  ])('names a pet that somebody else left changed, where %s', (_, parts, rows) => {
    expect(report(parts, {}, check()).changedElsewhere).toEqual(rows)
  })

  it('was put back, or the report says how to do it', () => {
    expect(report([{}], {}, check())).toMatchObject({ restored: true, unrestored: [] })
    const made = report([{}], { unrestored: [{ petId: '7', quantity: '5' }] }, check())
    expect(made.restored).toBe(false)
    expect(made.headline).toMatch(/1 pet may differ from before the run\.$/)
    expect(made.run.exitCode).not.toBe(0)
    expect(made.unrestored[0]).toMatchObject({ petId: '7', quantity: '5' })
    expect(made.unrestored[0].curl).toBe(
      `curl -sS -X PATCH 'http://127.0.0.1:8080/v1/inventory/7' -H 'Authorization: Bearer '"$QUOTASPEC_KEY_FREE" -H 'Content-Type: application/json' --data '{"quantity":5}'`,
    )
  })
})
