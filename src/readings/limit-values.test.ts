import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { petstore } from '../contract/petstore/petstore.js'
import type { HeaderLine } from '../evidence/exchange.js'
import { limitReader } from './answers.js'
import { numberOf, readRetryAfter } from './limit-values.js'

/** The three rate-limit headers of an answer (§8.1). */
const rateHeaders = limitReader(petstore, petstore.quotas[0])

const limitOf = (...values: readonly string[]) =>
  rateHeaders(values.map((value): HeaderLine => ['x-ratelimit-LIMIT', value])).limit

describe('a header that should be one number', () => {
  it.each([
    [['60'], 60, true],
    [[' 60 '], 60, true],
    [['060'], 60, true],
    [['60.0'], 60, false],
    [['1767225600.25'], 1767225600.25, false],
    [['-1'], -1, false],
    [['9'.repeat(20)], 1e20, true],
    [['60', '60'], 60, false],
  ])('%j is %d, plain: %s', (values, value, plain) => {
    expect(limitOf(...values)).toEqual({ state: 'number', value, plain, text: values[0].trim() })
  })

  it.each([
    [['sixty'], 'sixty'],
    [[''], ''],
    [['60', '61'], '60, 61'],
    [['60, 60'], '60, 60'],
    [['+60'], '+60'],
    [['6e1'], '6e1'],
    [['0x3c'], '0x3c'],
    [['Infinity'], 'Infinity'],
    [['60;w=60'], '60;w=60'],
    [['9'.repeat(100)], '9'.repeat(80)],
  ])('%j is none', (values, text) => {
    expect(limitOf(...values)).toEqual({ state: 'malformed', text })
  })

  it('is absent where it does not come', () => {
    const { limit, remaining, reset } = rateHeaders([['X-RateLimit-Remaining', '5']])
    expect([limit, remaining, reset].map(({ state }) => state)).toEqual(['absent', 'number', 'absent'])
    expect([limit, remaining, reset].map(numberOf)).toEqual([undefined, 5, undefined])
  })

  it('is the number that was written, for every whole number', () => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        expect(limitOf(String(number))).toMatchObject({ value: number, plain: true })
      }),
    )
  })
})

describe('Retry-After', () => {
  const read = (...values: readonly string[]) =>
    readRetryAfter(values.map((value): HeaderLine => ['retry-after', value]))

  it.each([
    [[], { form: 'absent' }],
    [['0'], { form: 'seconds', seconds: 0 }],
    [[' 120 '], { form: 'seconds', seconds: 120 }],
    [['Thu, 15 Jan 2026 12:00:00 GMT'], { form: 'date', epochMs: Date.UTC(2026, 0, 15, 12) }],
    [['Thursday, 15-Jan-26 12:00:00 GMT'], { form: 'date', epochMs: Date.UTC(2026, 0, 15, 12) }],
    [['1.5'], { form: 'malformed', text: '1.5', seconds: 1.5 }],
    [['-1'], { form: 'malformed', text: '-1', seconds: null }],
    [['soon'], { form: 'malformed', text: 'soon', seconds: null }],
    [['10 s'], { form: 'malformed', text: '10 s', seconds: null }],
    [[''], { form: 'malformed', text: '', seconds: null }],
    [['5', '5'], { form: 'malformed', text: '5, 5', seconds: 5 }],
    [['2026-01-15T12:00:00Z'], { form: 'malformed', text: '2026-01-15T12:00:00Z', seconds: null }],
  ])('%j is %j', (values, reading) => {
    expect(read(...values)).toEqual(reading)
  })
})
