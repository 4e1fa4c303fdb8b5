import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  batches,
  constantRate,
  type Schedule,
  type Shape,
  schedule,
  scheduleCeiling,
  scheduleShape,
  shareOf,
} from './schedule.js'

test.each<[string, Shape, readonly number[]]>([
  ['one a minute', constantRate(1 / 60), [0, 60_000, 120_000]],
  ['five thousand a second', constantRate(5000), [0, 0.2, 0.4]],
  ['two bursts', batches([{ atMs: 0, amount: 2 }, { atMs: 500, amount: 2 }]), [0, 0, 500, 500, 500]], // biome-ignore format: one row a case
  ['no bursts', batches([]), [0, 0]],
])('%s', (_, shape, due) => {
  const found = due.map((_, n) => shape(n))
  for (const [n, ms] of due.entries()) expect(found[n]).toBeCloseTo(ms, 6)
})

test('a jitter makes each later by up to its share of the space, unevenly, and alters no rate', () => {
  const shape = constantRate(10, 0.8)
  const late = Array.from({ length: 1000 }, (_, n) => (shape(n) - n * 100) / 80)
  expect(shape(0)).toBe(0)
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...late)).toBeLessThanOrEqual(1)
  const quarters = [0, 1, 2, 3].map((part) => late.filter((each) => Math.min(3, Math.floor(each * 4)) === part).length)
  expect(Math.min(...quarters)).toBeGreaterThan(200)
  expect(late.filter((each, n) => n > 0 && each > late[n - 1]).length).toBeGreaterThan(400)
})

const dueBy = (given: Schedule | undefined, amount: number): number[] =>
  Array.from({ length: amount }, (_, n) => scheduleShape(given, amount)?.(n) ?? Number.NaN)

test.each<[string, Schedule, readonly number[]]>([
  ['a constant rate', { kind: 'constant', perSecond: 2 }, [0, 500, 1000]],
  ['bursts', { kind: 'batches', each: [{ atMs: 5, amount: 1 }, { atMs: 9, amount: 2 }] }, [5, 9, 9]], // biome-ignore format: one row a case
  ['groups', { kind: 'groups', size: 2, apartMs: 70 }, [0, 0, 70, 70, 140]],
  ['a burst that is slowed down', { kind: 'slowed', of: null, perSecond: 10 }, [0, 100, 200, 300]],
  ['a slow load that is held to more', { kind: 'slowed', of: { kind: 'constant', perSecond: 5 }, perSecond: 10 }, [0, 200, 400]], // biome-ignore format: one row a case
  ['a late burst that is slowed down, which makes nothing up', { kind: 'slowed', of: { kind: 'batches', each: [{ atMs: 1000, amount: 3 }] }, perSecond: 10 }, [1000, 1100, 1200]], // biome-ignore format: one row a case
  ['the second share of three', { kind: 'share', whole: { kind: 'constant', perSecond: 10 }, nth: 1, of: 3 }, [100, 400, 700]], // biome-ignore format: one row a case
])('as data, %s is the same after JSON', (_, given, due) => {
  expect(dueBy(schedule.parse(JSON.parse(JSON.stringify(given))), due.length)).toEqual(due)
})

test.each<[string, Schedule | undefined, number | undefined]>([
  ['no schedule', undefined, undefined],
  ['a rate that is only planned', { kind: 'constant', perSecond: 5 }, undefined],
  ['what is slowed down', { kind: 'slowed', of: null, perSecond: 50 }, 50],
  ['a share of it', { kind: 'share', whole: { kind: 'slowed', of: null, perSecond: 50 }, nth: 1, of: 4 }, 12.5],
  ['a share that is slowed down more', { kind: 'slowed', of: { kind: 'share', whole: { kind: 'slowed', of: null, perSecond: 50 }, nth: 0, of: 2 }, perSecond: 20 }, 20], // biome-ignore format: one row a case
  ['a share that is slowed down less', { kind: 'slowed', of: { kind: 'share', whole: { kind: 'slowed', of: null, perSecond: 50 }, nth: 0, of: 5 }, perSecond: 20 }, 10], // biome-ignore format: one row a case
  ['a share of what nothing holds', { kind: 'share', whole: null, nth: 0, of: 2 }, undefined],
])('the ceiling of %s', (_, given, most) => expect(scheduleCeiling(given)).toBe(most))

test('without a schedule nothing is due at a time, and a share of none has none', () => {
  expect(scheduleShape(undefined, 3)).toBeUndefined()
  expect(scheduleShape({ kind: 'share', whole: null, nth: 0, of: 2 }, 3)).toBeUndefined()
})

describe('the shares of several machines', () => {
  it('are the whole, each slot once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 12 }), (amount, of) => {
        const whole: Schedule = { kind: 'slowed', of: { kind: 'groups', size: 3, apartMs: 50 }, perSecond: 40 }
        const shares = Array.from({ length: of }, (_, nth) =>
          dueBy({ kind: 'share', whole, nth, of }, shareOf(amount, nth, of)),
        )
        expect(shares.flat().sort((a, b) => a - b)).toEqual(dueBy(whole, amount))
      }),
    )
  })
})

test('what is slowed down is never due sooner, and never closer together than allowed', () => {
  const plan = fc.record({
    gaps: fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 50 }),
    perSecond: fc.integer({ min: 1, max: 1_000 }),
  })
  fc.assert(
    fc.property(plan, ({ gaps, perSecond }) => {
      const wished = gaps.map((_, n) => gaps.slice(0, n + 1).reduce((sum, gap) => sum + gap, 0))
      const of: Schedule = { kind: 'batches', each: wished.map((atMs) => ({ atMs, amount: 1 })) }
      const due = dueBy({ kind: 'slowed', of, perSecond }, gaps.length)
      for (const [n, at] of due.entries()) {
        expect(at).toBeGreaterThanOrEqual(wished[n])
        if (n > 0) expect(at - due[n - 1]).toBeGreaterThanOrEqual(1000 / perSecond - 1e-6)
      }
    }),
  )
})
