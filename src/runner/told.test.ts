import { describe, expect, it } from 'vitest'
import { type ExchangePart, madeExchange } from '../evidence/testing/made-exchange.js'
import { toldBy } from './told.js'

/** The target's epoch is run time plus something between these. */
const clock = { from: 1_000_000_000, to: 1_000_001_000, told: true }
const date = (epochMs: number) => new Date(epochMs).toUTCString()

const told = (headers: Record<string, string>, part: ExchangePart = {}) =>
  toldBy(madeExchange({ sentAt: 100, tookMs: 20, headers, ...part }), clock)

describe('what an answer says of the limit', () => {
  it('is nothing where it carries no such header, or where none came', () => {
    const nothing = { limit: undefined, remaining: undefined, resetAt: undefined, retryAt: undefined }
    expect(told({})).toEqual(nothing)
    expect(told({}, { status: null })).toEqual(nothing)
  })

  it('is read from the headers, Reset as the latest moment that it can mean', () => {
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '3', 'X-RateLimit-Reset': '1000005' }
    expect(told(headers)).toMatchObject({ limit: 60, remaining: 3, resetAt: 5_000 })
  })

  it.each([
    ['2', 2_125],
    ['0', 125],
    ['1.5', 1_625],
    ['soon', undefined],
    ['-1', undefined],
    [date(clock.from + 4_000), 4_005],
    [date(clock.from - 60_000), 125],
  ])('allows a request after Retry-After: %s at %s', (value, retryAt) => {
    expect(told({ 'Retry-After': value }).retryAt).toBe(retryAt)
  })
})
