import { describe, expect, it } from 'vitest'
import { petstore } from '../../contract/petstore/petstore.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { answerReader } from '../../readings/answers.js'
import { dayShownIn, limitHintsOf, refusalsIn } from './limit-hints.js'

/** The target's epoch is run time plus something between these. */
const clock = { from: 1_000_000_000, to: 1_000_001_000, told: true }
const date = (epochMs: number) => new Date(epochMs).toUTCString()

const told = (headers: Record<string, string>, part: ExchangePart = {}) =>
  limitHintsOf(
    madeExchange({ sentAt: 100, tookMs: 20, headers, ...part }),
    clock,
    answerReader(petstore, petstore.quotas[0], 0),
  )

describe('what an answer says of the limit', () => {
  it('is nothing where it carries no such header, or where none came', () => {
    const nothing = { limit: undefined, remaining: undefined, resetAt: undefined, retryAt: undefined }
    expect(told({})).toEqual(nothing)
    expect(told({}, { status: null })).toEqual(nothing)
  })

  it('is read from the headers, Reset as the latest moment that it can mean', () => {
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '3', 'X-RateLimit-Reset': '1000005' }
    expect(told(headers)).toMatchObject({ limit: 60, remaining: 3, resetAt: 5_000, backBy: 6_000 })
  })

  it('takes a Reset in parts of a second for no more than it is off', () => {
    expect(told({ 'X-RateLimit-Reset': '1000005.25' })).toMatchObject({ resetAt: 5_250, backBy: 5_450 })
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

describe('what a load shows to be left of the day', () => {
  const shown = (rows: readonly MadeRow[], quota = { limit: 60, longer: 1_000 }) =>
    dayShownIn(madeLedger(rows).rows, quota)
  const row = (limit: number, remaining: number, status = 200): MadeRow => ({ sentMs: 0, limit, remaining, status })

  it.each([
    ['the least that an admitted answer showed', [row(1_000, 40), row(1_000, 38), row(1_000, 39)], 38],
    ['nothing, where only the minute was shown', [row(60, 5)], undefined],
    ['not what a refusal showed, which may be the minute’s zero', [row(1_000, 40), row(1_000, 0, 429)], 40],
    ['nothing, where nothing was sent', [], undefined],
  ])('is %s', (_, rows, expected) => {
    expect(shown(rows)).toBe(expected)
  })

  it('is not told where both windows have the same limit', () => {
    expect(shown([row(60, 5)], { limit: 60, longer: 60 })).toBeUndefined()
  })
})

describe('what the refusals of a load say', () => {
  const refusals = (...rows: readonly MadeRow[]) => refusalsIn(madeLedger(rows), clock)

  it('is how many there were, and the latest moment that one of them allows a request at', () => {
    const rows: MadeRow[] = [
      { sentMs: 0, tookMs: 50, status: 429, retryAfter: 3 },
      { sentMs: 10, tookMs: 5, status: 429, retryAfter: 2 },
      { sentMs: 20, status: 200 },
      { sentMs: 30, status: null, retryAfter: 99 },
    ]
    expect(refusals(...rows)).toEqual({ refusals: 2, retryAt: 50 + 3_000 + 5 })
  })

  it('may be a date, turned to the clock of the run', () => {
    const row = {
      sentMs: 100,
      status: 429,
      flags: ['retryAfterIsDate'],
      retryAfter: (clock.from + 9_000) / 1000,
    } as const
    expect(refusals(row)).toEqual({ refusals: 1, retryAt: 9_005 })
  })

  it('is no moment where none names one that can be read', () => {
    const rows = [
      { sentMs: 0, status: 429 },
      { sentMs: 1, status: 429, retryAfter: Number.POSITIVE_INFINITY },
    ]
    expect(refusals(...rows)).toEqual({ refusals: 2, retryAt: undefined })
    expect(refusals({ sentMs: 0 })).toEqual({ refusals: 0, retryAt: undefined })
  })
})
