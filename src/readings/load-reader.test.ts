import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RefusalRule } from '../contract/api-contract.js'
import { contractForQuota } from '../contract/partitions.js'
import type { HeaderLine } from '../evidence/exchange.js'
import { type LedgerRow, LedgerWriter, ledgerFlags, ledgerRow } from '../evidence/ledger.js'
import { limitReader } from './answers.js'
import { readRetryAfter } from './limit-values.js'
import { rowReader } from './load-reader.js'
import { refusalOf } from './refusals.js'
import { dialects, headersIn, madeContract, madeQuota } from './testing/made-contract.js'

const rawOf = (headers: readonly HeaderLine[]): string[] => headers.flat()

/** The row that one reader makes of each of several answers. */
const rowsOf = (
  reader: ReturnType<typeof rowReader>,
  answers: readonly { status?: number; headers: readonly HeaderLine[] }[],
): LedgerRow[] => {
  const ledger = new LedgerWriter(answers.length)
  for (const { status = 200, headers } of answers) {
    const row = ledger.append(0, 0, 0)
    ledger.columns.status[row] = status
    reader.readHead(ledger, row, rawOf(headers))
  }
  return answers.map((_, row) => ledgerRow(ledger.rows(), row))
}

const rowOf = (fields: readonly string[], block: string, given = {}): LedgerRow =>
  rowsOf(rowReader(madeContract(fields, given), madeQuota()), [{ headers: headersIn(block) }])[0]

const { NaN: absent, POSITIVE_INFINITY: unreadable } = Number
const { resetFromNow, duplicateHeader, retryAfterIsDate, showsAnother } = ledgerFlags

describe('the row of an answer', () => {
  it.each<[string, readonly string[], string, Partial<LedgerRow>]>([
    [
      'in any letter case, among other headers',
      dialects.epoch,
      'Date: x\nx-ratelimit-LIMIT: 60\nX-RateLimit-Remaining: 9\nx-ratelimit-reset: 1900000000\nX-Ratelimit-Other: 1',
      { limit: 60, remaining: 9, reset: 1_900_000_000, flags: 0 },
    ],
    ['that shows nothing', dialects.epoch, 'Date: x', { limit: absent, remaining: absent, reset: absent, flags: 0 }],
    ['in draft 03', dialects.draft03, 'RateLimit-Reset: 30', { reset: 30, flags: resetFromNow }],
    [
      'in draft 11',
      dialects.draft11,
      'RateLimit-Policy: "a";q=60;w=60\nRateLimit: "a";r=9;t=30',
      { limit: 60, remaining: 9, reset: 30, flags: resetFromNow },
    ],
    [
      'in draft 03, of another policy',
      dialects.draft03,
      'RateLimit-Limit: 10\nRateLimit-Reset: 1\nRateLimit-Policy: 10;w=1, 60;w=60',
      { limit: 60, reset: absent, flags: ledgerFlags.showsAnother },
    ],
    ['that is malformed', dialects.epoch, 'X-RateLimit-Limit: 6e1', { limit: unreadable, flags: 0 }],
    [
      'that comes twice',
      dialects.epoch,
      'X-RateLimit-Limit: 60\nX-RateLimit-Limit: 60',
      { limit: 60, flags: duplicateHeader },
    ],
    ['that comes as a list', dialects.epoch, 'X-RateLimit-Limit: 60, 60', { limit: 60, flags: duplicateHeader }],
    ['that says two things', dialects.epoch, 'X-RateLimit-Limit: 60, 6', { limit: unreadable, flags: duplicateHeader }],
    ['with used/limit', ['X-Limit used/limit'], 'X-Limit: 32/40', { limit: 40, remaining: 8, flags: 0 }],
    ['with a wait', [], 'Retry-After: 17', { retryAfter: 17, flags: 0 }],
    [
      'with a wait that is a date',
      [],
      'retry-after: Sun, 06 Nov 1994 08:49:37 GMT',
      { retryAfter: 784_111_777, flags: retryAfterIsDate },
    ],
    ['with a wait of a fraction', [], 'Retry-After: 2.5', { retryAfter: 2.5, flags: 0 }],
    ['with a wait that is none', [], 'Retry-After: soon', { retryAfter: unreadable, flags: 0 }],
    ['with two waits', [], 'Retry-After: 1\nRetry-After: 2', { retryAfter: 1, flags: duplicateHeader }],
  ])('%s', (_, fields, block, expected) => {
    expect(rowOf(fields, block)).toMatchObject(expected)
  })

  it.each([
    ['that shows another quota', '25', false, { limit: absent, remaining: absent, reset: absent, flags: showsAnother }],
    ['that shows its own', '10', false, { limit: 10, remaining: 9, flags: 0 }],
    ['that shows a limit of none', '26', false, { limit: 26, remaining: 9, flags: 0 }],
    ['where the fields are said to be its own', '25', true, { limit: 25, remaining: 9, flags: 0 }],
  ])('of two quotas %s', (_, shown, areOwn, expected) => {
    const quotas = [10, 25].map((limit) => madeQuota({ id: `of-${limit}`, limit: { free: limit } }))
    const made = madeContract(dialects.epoch, { quotas })
    const headers = made.headers.map((each) => (areOwn ? { ...each, quota: 'of-10' } : each))
    const contract = contractForQuota({ ...made, headers }, quotas[0])
    const answer = headersIn(`X-RateLimit-Limit: ${shown}\nX-RateLimit-Remaining: 9\nX-RateLimit-Reset: 1900000000`)
    expect(rowsOf(rowReader(contract, quotas[0]), [{ headers: answer }])[0]).toMatchObject(expected)
    const { limit, remaining, showsAnother: isOther = false } = limitReader(contract, quotas[0])(answer)
    expect([cellOf(limit), cellOf(remaining), isOther]).toEqual([
      expected.limit,
      expected.remaining,
      expected.flags === showsAnother,
    ])
  })

  it.each([
    ['show no limit', ['X-RateLimit-Limit'], 25],
    ['have the same', [], 10],
  ])('tells of neither quota what is left where both %s', (_, without, other) => {
    const quotas = ['one', 'other'].map((id, i) => madeQuota({ id, limit: { free: [10, other][i] } }))
    const made = madeContract(dialects.epoch, { quotas })
    const headers = made.headers.filter(({ name }) => !without.includes(name))
    const contract = contractForQuota({ ...made, headers }, quotas[0])
    const answer = headersIn('X-RateLimit-Limit: 10\nX-RateLimit-Remaining: 9\nX-RateLimit-Reset: 1900000000')
    const row = rowsOf(rowReader(contract, quotas[0]), [{ headers: answer }])[0]
    const limit = without.length > 0 ? absent : 10
    expect(row).toMatchObject({ limit, remaining: absent, reset: absent, flags: showsAnother })
    const read = limitReader(contract, quotas[0])(answer)
    expect([cellOf(read.limit), cellOf(read.remaining), cellOf(read.reset)]).toEqual([limit, absent, absent])
  })

  it('has no wait where the contract has none', () => {
    expect(rowOf([], 'Retry-After: 17', { retryAfter: null })).toMatchObject({ retryAfter: absent })
    const named = { retryAfter: { name: 'X-Wait', as: ['seconds' as const], level: 'must' as const } }
    expect(rowOf([], 'Retry-After: 17\nx-wait: 2', named)).toMatchObject({ retryAfter: 2 })
  })
})

const cellOf = (reading: { state: string; value?: number }): number =>
  reading.state === 'absent' ? absent : (reading.value ?? unreadable)

const number = fc.oneof(fc.nat(100).map(String), fc.constantFrom('60', '60.5', '-1', 'x', '', '6, 6', '6, 7', ' 5 '))
const line = (names: readonly string[], values: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...names.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()])), values)
const named = fc.constantFrom('"a"', '"b"', 'a')
const service = fc.tuple(named, fc.nat(9), fc.nat(9)).map(([name, r, t]) => `${name};r=${r};t=${t}`)
const policy = fc.tuple(named, fc.nat(9), fc.constantFrom(60, 1)).map(([name, q, w]) => `${name};q=${q};w=${w}`)
const someLines = fc.array(
  fc.oneof(
    line(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Limit', 'X-Used'], number),
    line(['X-Wait'], fc.constantFrom('1s', '6m0s', '5', '1s, 1s')),
    line(
      ['RateLimit'],
      fc.oneof(
        service,
        fc.tuple(service, service).map((two) => two.join(', ')),
        number,
      ),
    ),
    line(
      ['RateLimit-Policy'],
      fc.oneof(
        policy,
        fc.tuple(policy, policy).map((two) => two.join(',')),
        fc.constant('5;w=60'),
      ),
    ),
    line(['Date'], fc.constant('now')),
  ),
  { maxLength: 6 },
)
const someFields = fc.shuffledSubarray([
  ...dialects.epoch,
  ...dialects.draft03,
  ...dialects.draft07,
  ...dialects.draft11,
  'X-Used used',
  'X-Wait reset duration',
])

it('says what single answers say, whatever the contract and the answers', () => {
  fc.assert(
    fc.property(someFields, fc.array(someLines, { minLength: 1, maxLength: 4 }), (fields, answers) => {
      const contract = madeContract(fields)
      const rows = rowsOf(
        rowReader(contract, madeQuota()),
        answers.map((headers) => ({ headers })),
      )
      answers.forEach((headers, at) => {
        const { limit, remaining, reset } = limitReader(contract, madeQuota())(headers)
        expect([rows[at].limit, rows[at].remaining, rows[at].reset]).toEqual([limit, remaining, reset].map(cellOf))
        const isFromNow = reset.state === 'number' && reset.from === 'now'
        expect((rows[at].flags & resetFromNow) !== 0).toBe(isFromNow)
      })
    }),
    { numRuns: 500 },
  )
})

it('names the wait that single answers name', () => {
  const odd = fc.constantFrom(
    '30 s',
    '30s',
    '+5',
    '5.0',
    '0x1e',
    '1e3',
    'soon',
    '-0',
    '٣',
    'Sun, 06 Nov 1994 08:49:37 GMT',
  )
  const waits = fc.array(line(['Retry-After'], fc.oneof(number, odd)), { maxLength: 1 })
  fc.assert(
    fc.property(waits, (headers) => {
      const [{ retryAfter }] = rowsOf(rowReader(madeContract([]), madeQuota()), [{ headers }])
      const wait = readRetryAfter(headers)
      const named = { absent, malformed: unreadable, seconds: Number.NaN, date: Number.NaN }
      if (wait.form === 'seconds') named.seconds = wait.seconds
      if (wait.form === 'malformed') named.malformed = wait.seconds ?? unreadable
      if (wait.form === 'date') named.date = wait.epochMs / 1000
      expect(retryAfter).toBe(named[wait.form])
    }),
  )
})

const rule = (given: Partial<RefusalRule>): RefusalRule => ({ is: 'quota', status: [], when: {}, ...given })
const left = { 'X-Left': '0' }
const ban = rule({ is: 'ban', status: [403], body: 'blocked' })

describe('a refusal in a row', () => {
  const played = (refusals: RefusalRule[], status: number, block: string, body: string, isWhole = true) => {
    const reader = rowReader(madeContract([], { refusals }), madeQuota())
    const ledger = new LedgerWriter(1)
    const row = ledger.append(0, 0, 0)
    const raw = rawOf(headersIn(block))
    ledger.columns.status[row] = status
    reader.readHead(ledger, row, raw)
    if (reader.readBody?.wants(ledger, row, raw)) reader.readBody.read(ledger, row, raw, Buffer.from(body), isWhole)
    const { flags } = ledgerRow(ledger.rows(), row)
    const { refusedByRule, bannedByRule, unruled } = ledgerFlags
    return { [refusedByRule]: 'quota', [bannedByRule]: 'ban', [unruled]: 'unruled', 0: 'none' }[flags]
  }

  it.each<[string, RefusalRule[], number, string, string, string]>([
    ['by the usual rule', [], 429, '', '', 'quota'],
    ['of no rule', [], 403, '', '', 'none'],
    ['by its head', [rule({ status: [403], when: left })], 403, 'x-left: 0', '', 'quota'],
    ['by its body', [ban], 403, '', 'you are blocked', 'ban'],
    ['by its body, before a rule without', [ban, rule({ status: [403] })], 403, '', 'you are blocked', 'ban'],
    ['by its body, behind a rule without', [rule({ status: [403] }), ban], 403, '', 'you are blocked', 'quota'],
    ['by the rule behind its body', [ban, rule({ status: [403] })], 403, '', 'no', 'quota'],
    ['softly', [rule({ status: [200], body: 'langsamer, bitte: ü' })], 200, '', 'langsamer, bitte: ü', 'quota'],
  ])('is told %s', (_, refusals, status, block, body, expected) => {
    expect(played(refusals, status, block, body)).toBe(expected)
  })

  it.each<[string, RefusalRule[], string, string]>([
    ['may have been what is missing', [ban], 'you are', 'unruled'],
    ['may have been another', [ban, rule({ status: [403] })], 'you are', 'unruled'],
    ['is the same either way', [{ ...ban, is: 'quota' }, rule({ status: [403] })], 'you are', 'quota'],
    ['is in what came', [ban], 'you are blocked, for', 'ban'],
  ])('whose body broke off %s', (_, refusals, body, expected) => {
    expect(played(refusals, 403, '', body, false)).toBe(expected)
  })

  it('asks for no body where no rule speaks of one', () => {
    expect(rowReader(madeContract([]), madeQuota()).readBody).toBeUndefined()
  })

  it('is told as in single answers', () => {
    const rules = fc.array(
      fc.record({
        is: fc.constantFrom('quota' as const, 'ban' as const),
        status: fc.subarray([200, 403, 429]),
        when: fc.constantFrom({}, left),
        body: fc.constantFrom(undefined, 'a', 'b'),
      }),
    )
    const status = fc.constantFrom(200, 403, 429)
    fc.assert(
      fc.property(
        rules,
        status,
        fc.constantFrom('', 'X-Left: 0', 'x-left: 1'),
        fc.constantFrom('', 'a', 'b', 'ab'),
        (...given) => {
          const [refusals, code, block, body] = given
          const told = refusalOf({ status: code, headers: headersIn(block), body }, { refusals })
          expect(played(refusals, code, block, body)).toBe(told ?? 'none')
        },
      ),
    )
  })
})
