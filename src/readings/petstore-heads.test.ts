import { expect, test } from 'vitest'
import { petstore } from '../contract/petstore/petstore.js'
import { LedgerWriter, ledgerFlags, ledgerRow } from '../evidence/ledger.js'
import { headReader } from './load-reader.js'

const { NaN: absent, POSITIVE_INFINITY: unreadable } = Number
const recorded = (...raw: string[]) => {
  const ledger = new LedgerWriter(1)
  headReader(petstore, petstore.quotas[0])(ledger, ledger.append(0, 0, 0), raw)
  return ledgerRow(ledger.rows(), 0)
}

test('the three headers and Retry-After are found in any letter case, among others', () => {
  const raw = ['Date', 'x', 'X-RateLimit-Limit', '60', 'x-ratelimit-remaining', '0', 'X-RATELIMIT-RESET', '1900000000']
  const row = recorded(...raw, 'retry-After', '17', 'X-RateLimit-Policy', '5', 'X-Other-Headers-1', '9')
  expect(row).toMatchObject({ limit: 60, remaining: 0, reset: 1_900_000_000, retryAfter: 17, flags: 0 })
})

test('what is absent is NaN', () => {
  expect(recorded()).toMatchObject({ limit: absent, remaining: absent, reset: absent, retryAfter: absent, flags: 0 })
})

test.each([
  ['60.0', 60, 60],
  ['-1', -1, unreadable],
  ['1795263669.231', 1795263669.231, 1795263669.231],
])(
  'the decimal %j is a number in the three headers, and in Retry-After where it is not below 0',
  (text, value, wait) => {
    expect(recorded('X-RateLimit-Limit', text).limit).toBe(value)
    expect(recorded('Retry-After', text).retryAfter).toBe(wait)
  },
)

test.each(['+1', '6e1', '0x3c', '', '60, 60', 'NaN', '9'.repeat(400)])(
  '%j is there, and is no plain number',
  (text) => {
    expect(recorded('X-RateLimit-Limit', text).limit).toBe(unreadable)
    expect(recorded('Retry-After', text).retryAfter).toBe(unreadable)
  },
)

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'Retry-After as the date %s is its epoch, and flagged',
  (text) => {
    expect(recorded('Retry-After', text)).toMatchObject({
      retryAfter: 784_111_777,
      flags: ledgerFlags.retryAfterIsDate,
    })
  },
)

test.each([
  ['X-RateLimit-Limit', '1', 1],
  ['X-RateLimit-Remaining', '1', 1],
  ['X-RateLimit-Reset', '1', 1],
  ['X-RateLimit-Limit', '2', unreadable],
  ['X-RateLimit-Remaining', '2', unreadable],
  ['X-RateLimit-Reset', '2', unreadable],
  ['Retry-After', '2', 1],
])('a second %s of %s is flagged, and read as in single answers', (name, second, read) => {
  const row = recorded(name, '1', name.toLowerCase(), second)
  expect(row.flags).toBe(ledgerFlags.duplicateHeader)
  expect([row.limit, row.remaining, row.reset, row.retryAfter].filter((value) => !Number.isNaN(value))).toEqual([read])
})
