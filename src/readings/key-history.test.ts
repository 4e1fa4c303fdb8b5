import { describe, expect, it } from 'vitest'
import type { QuotaWindow } from '../contract/plans.js'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { type Decision, outcomes } from './history.js'
import { isBeyondMinute, keyHistory } from './key-history.js'
import { keyRecord } from './key-record.js'

const clock = { from: 1_000_000_000, to: 1_000_000_500, told: true }
const besideDay = (limit: number): QuotaWindow => ({
  limit: 60,
  windowMs: 60_000,
  longer: { limit, windowMs: 86_400_000 },
})
const free = besideDay(1_000)

const recordOf = (...parts: readonly ExchangePart[]) => keyRecord(madeEvidence(parts), 'free', clock)
const inMinuteOf = (window: QuotaWindow, ...parts: readonly ExchangePart[]) =>
  keyHistory(recordOf(...parts), window, clock)
const inDayOf = (window: QuotaWindow, ...parts: readonly ExchangePart[]) =>
  keyHistory(recordOf(...parts), window, clock, 'longer')
const names = (codes: Uint8Array): Decision[] =>
  [...codes].map((code) => (Object.keys(outcomes) as Decision[]).find((name) => outcomes[name] === code) as Decision)

const refusal = (retryAfter: string, limit = '60', remaining = '0'): ExchangePart => ({
  status: 429,
  headers: { 'Retry-After': retryAfter, 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining },
})

describe('what became of a request', () => {
  it.each<[string, ExchangePart, Decision, Decision]>([
    ['is answered 200', {}, 'admitted', 'admitted'],
    ['is refused for a while that a minute explains', refusal('60'), 'refused', 'unknown'],
    ['is refused for a minute and its rounding', refusal('62'), 'refused', 'unknown'],
    ['is refused for longer than a minute', refusal('63'), 'excused', 'refused'],
    ['is refused and shows the day as spent', refusal('5', '1000'), 'excused', 'refused'],
    ['is refused and shows the day as not spent', refusal('5', '1000', '9'), 'refused', 'unknown'],
    ['is refused without a wait', { status: 429 }, 'refused', 'unknown'],
    ['is answered 400', { status: 400 }, 'unknown', 'unknown'],
    ['is answered 401', { status: 401 }, 'unknown', 'unknown'],
    ['is answered 403 out of the blue', { status: 403 }, 'unknown', 'unknown'],
    ['is answered 302', { status: 302 }, 'unknown', 'unknown'],
    ['is answered 500', { status: 500 }, 'unknown', 'unknown'],
    ['is not answered', { status: null }, 'unknown', 'unknown'],
    ['is served, and not the ordinary question', { operation: 'updateInventory' }, 'unknown', 'admitted'],
    ['is not found, and not the ordinary question', { operation: 'getPet', status: 404 }, 'unknown', 'unknown'],
    ['is served, and no operation', { operation: null }, 'unknown', 'unknown'],
    ['is odd and refused by the minute', { ...refusal('60'), credential: 'bare-key' }, 'excused', 'unknown'],
    ['is odd and refused by the day', { ...refusal('63'), credential: 'bare-key' }, 'unknown', 'unknown'],
    ['is odd and refused by another', { ...refusal('60', '600'), credential: 'bare-key' }, 'unknown', 'unknown'],
    [
      'is odd and refused while some is left',
      { ...refusal('60', '60', '9'), credential: 'bare-key' },
      'unknown',
      'unknown',
    ],
  ])('that %s', (_name, part, inMinute, inDay) => {
    expect(names(inMinuteOf(free, part).outcome)).toEqual([inMinute])
    expect(names(inDayOf(free, part).outcome)).toEqual([inDay])
  })

  it('is excused where it is answered 403 after a refusal: that is a ban', () => {
    expect(names(inMinuteOf(free, { status: 403 }, refusal('60'), { status: 403 }).outcome)).toEqual([
      'unknown',
      'refused',
      'excused',
    ])
  })

  it('does not take a 403 for a ban whose answer was there before the refusal was', () => {
    const early = { status: 403, sentAt: 101, tookMs: 5 }
    expect(names(inMinuteOf(free, { ...refusal('60'), sentAt: 100, tookMs: 50 }, early).outcome)).toEqual([
      'refused',
      'unknown',
    ])
  })
})

describe('a refusal once as many were sent as the day allows', () => {
  const small = besideDay(2)

  it.each<[string, ExchangePart, Decision, Decision]>([
    ['is the day’s where it names no window', { status: 429 }, 'excused', 'refused'],
    ['is the minute’s where it shows the minute', refusal('5'), 'refused', 'unknown'],
  ])('%s', (_name, part, inMinute, inDay) => {
    expect(names(inMinuteOf(small, {}, {}, part).outcome)).toEqual(['admitted', 'admitted', inMinute])
    expect(names(inDayOf(small, {}, {}, part).outcome)).toEqual(['admitted', 'admitted', inDay])
    expect(names(inMinuteOf(small, {}, part).outcome)).toEqual(['admitted', 'refused'])
  })
})

describe('whether a refusal is beyond the minute', () => {
  it('can not be told by Limit where both limits are the same', () => {
    expect(isBeyondMinute(recordOf(refusal('5')), 0, besideDay(60))).toBe(false)
    expect(isBeyondMinute(recordOf(refusal('5', '1000')), 0, free)).toBe(true)
  })

  it.each<[string, ExchangePart, number, boolean]>([
    ['is, where the key is served just at its end', refusal('100'), 99_000, true],
    ['is not, where the key is served well before', refusal('100'), 90_000, false],
    ['is, where it shows another limit', refusal('100', '1000'), 90_000, true],
    ['is, where it names more than two minutes', refusal('123'), 90_000, true],
    ['is, where nobody is served again', refusal('100'), -1_000, true],
  ])('%s', (_name, refused, servedAt, expected) => {
    const record = recordOf(...[{ ...refused, sentAt: 0 }, { sentAt: servedAt }].sort((a, b) => a.sentAt - b.sentAt))
    expect(isBeyondMinute(record, record.status.indexOf(429), free)).toBe(expected)
  })
})

describe('the history of a key', () => {
  it('widens each interval by the error of the clocks, more for the longer window', () => {
    const part = { sentAt: 1_000, tookMs: 20 }
    const [inMinute, inDay] = [inMinuteOf(free, part), inDayOf(free, part)]
    expect([inMinute.sentMs[0], inMinute.receivedMs[0]]).toEqual([1_000 - 7.5, 1_020 + 7.5])
    expect([inDay.sentMs[0], inDay.receivedMs[0]]).toEqual([1_000 - 8_641.5, 1_020 + 8_641.5])
  })

  it('leaves open when a request was decided that had no answer, or a gateway’s', () => {
    const { receivedMs } = inMinuteOf(free, { status: null }, { status: 502 }, { status: 400 })
    expect([...receivedMs]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 202 + 7.5])
  })

  it('knows nothing of the key before its first request, and the clock only where it was told', () => {
    const history = inMinuteOf(free, { sentAt: 500 })
    expect(history).toMatchObject({ size: 1, priorUntilMs: 500 })
    expect(history.targetEpochOffsetMs).toEqual({ from: clock.from - 50, to: clock.to + 50 })
    const untold = keyHistory(recordOf({}), free, { ...clock, told: false })
    expect(untold.targetEpochOffsetMs).toBeNull()
    expect(inMinuteOf(free)).toMatchObject({ size: 0, priorUntilMs: 0 })
  })
})
