import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationIn, isoMomentIn } from './limit-values.js'

test.each([
  ['1s', 1],
  ['6m0s', 360],
  ['1.5s', 1.5],
  ['7.66s', 7.66],
  ['12ms', 0.012],
  ['1m26.4s', 86.4],
  ['1h2m3s', 3723],
  ['1d2h', 93_600],
  ['250µs', 0.00025],
  ['0', 0],
  ['0s', 0],
])('the duration %s is %d seconds', (text, seconds) => {
  expect(durationIn(text)).toBe(seconds)
})

test.each(['', '6', '6 m', 's', '-1s', '1s2', '1.s', 'PT6M', '1S', '6m,0s', `${'1s'.repeat(21)}`])(
  '%j is no duration',
  (text) => {
    expect(durationIn(text)).toBeUndefined()
  },
)

test('every count of hours, minutes and seconds is read as it was written', () => {
  const part = fc.nat(10_000)
  fc.assert(
    fc.property(part, part, part, (hours, minutes, seconds) => {
      expect(durationIn(`${hours}h${minutes}m${seconds}s`)).toBe(hours * 3600 + minutes * 60 + seconds)
    }),
  )
})

test.each([
  ['2026-01-15T10:30:00Z', Date.UTC(2026, 0, 15, 10, 30)],
  ['2026-01-15T10:30Z', Date.UTC(2026, 0, 15, 10, 30)],
  ['2026-01-15T10:30:00.250Z', Date.UTC(2026, 0, 15, 10, 30, 0, 250)],
  ['2026-01-15T12:30:00+02:00', Date.UTC(2026, 0, 15, 10, 30)],
  ['2026-01-15T05:00:00-0530', Date.UTC(2026, 0, 15, 10, 30)],
  ['2026-01-15t10:30:00z', Date.UTC(2026, 0, 15, 10, 30)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
])('the moment %s', (text, epochMs) => {
  expect(isoMomentIn(text)).toBe(epochMs / 1000)
})

test.each([
  '2026-01-15',
  '2026-01-15T10:30:00',
  '2026-01-15 10:30:00Z',
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-15T24:00:00Z',
  '2026-01-15T10:60:00Z',
  '2026-01-15T10:30:00+24:00',
  '20260115T103000Z',
  '1768473000',
])('%j names no moment', (text) => {
  expect(isoMomentIn(text)).toBeUndefined()
})

test('every moment that is written with a zone is read back', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
      expect(isoMomentIn(date.toISOString())).toBeCloseTo(date.getTime() / 1000, 6)
    }),
  )
})
