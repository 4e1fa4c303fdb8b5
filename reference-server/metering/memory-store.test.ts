import { describe, expect, it } from 'vitest'
import { algorithmNames, algorithms } from '../limiters/algorithms.js'
import { createMemoryStore } from './memory-store.js'
import { nearestToExhaustion, type Ruling } from './ruling.js'
import type { Subject } from './subject.js'

const nowMs = 1_767_225_600_000
const minute = (limit: number) => ({ name: 'minute', limit, lengthMs: 60_000 }) as const
const day = (limit: number) => ({ name: 'day', limit, lengthMs: 86_400_000 }) as const
const key = (minuteLimit: number, dayLimit: number, ban?: Subject['ban']): Subject => ({
  id: 'key',
  windows: [minute(minuteLimit), day(dayLimit)],
  ban,
})

/** A store, whose answers come at once. */
const storeOf = (algorithm: (typeof algorithmNames)[number] = 'fixed-window-first-request') => {
  const store = createMemoryStore({ openMeter: algorithms[algorithm] })
  return { store, take: (subject: Subject, atMs: number) => store.take(subject, nowMs + atMs) as Ruling }
}

const remaining = (ruling: Ruling) => ruling.windows.map((state) => state.remaining)

describe.each(algorithmNames)('a store that counts by %s', (algorithm) => {
  it('counts in both windows or in none', () => {
    const { take } = storeOf(algorithm)
    const subject = key(2, 3)
    expect(remaining(take(subject, 0))).toEqual([1, 2])
    expect(remaining(take(subject, 0))).toEqual([0, 1])
    const refused = take(subject, 0)
    expect(refused.outcome).toBe('refused')
    expect(remaining(refused)).toEqual([0, 1])
    expect(remaining(take(subject, 120_000))).toEqual([1, 0])
    expect(remaining(take(subject, 120_000))).toEqual([1, 0])
  })

  it('admits whoever stays silent for the wait that was named, for the minute and for the day', () => {
    const { take } = storeOf(algorithm)
    const subject = key(3, 5)
    let atMs = 500
    const waits: number[] = []
    for (let sent = 0; sent < 30; sent += 1) {
      const ruling = take(subject, atMs)
      if (ruling.outcome === 'admitted') continue
      waits.push(ruling.retryAfterMs)
      atMs += ruling.retryAfterMs
      expect(take(subject, atMs + 0.001).outcome).toBe('admitted')
    }
    expect(Math.max(...waits)).toBeGreaterThan(60_000)
  })
})

describe('the store in memory', () => {
  it('forgets whom nothing matters of any more, and keeps the rest', () => {
    const { store, take } = storeOf()
    const banned = key(1, 9, { threshold: 1, withinMs: 60_000, lengthMs: 10 ** 9 })
    for (const _ of [1, 2, 3]) take(banned, 0)
    for (let index = 0; index < 50_000; index += 1) take({ id: `address ${index}`, windows: [minute(1)] }, index * 10)
    expect(store.size).toBeLessThan(15_000)
    expect(take(banned, 500_000).outcome).toBe('banned')
    expect(take({ id: 'address 49999', windows: [minute(1)] }, 500_000).outcome).toBe('refused')
  })

  it('counts nothing when it is only asked, and gives back in both windows', () => {
    const { store, take } = storeOf()
    const subject = key(2, 3)
    take(subject, 0)
    expect(remaining(store.peek(subject, nowMs) as Ruling)).toEqual([1, 2])
    expect(remaining(store.refund(subject, nowMs) as Ruling)).toEqual([2, 3])
  })

  it('starts a row of refusals anew after an admission, and after a window', () => {
    const { take } = storeOf()
    const subject = key(1, 100, { threshold: 2, withinMs: 60_000, lengthMs: 1_000 })
    const outcomes = [0, 0, 0, 60_000, 60_000, 60_000, 60_000, 60_500, 61_000].map(
      (atMs) => take(subject, atMs).outcome,
    )
    expect(outcomes.join()).toBe('admitted,refused,refused,admitted,refused,refused,banned,banned,refused')
  })
})

describe('the window that is shown', () => {
  it('is the one with the smaller share left, and of those that refused the longer one', () => {
    const { take } = storeOf()
    const shown = (ruling: Ruling) => nearestToExhaustion(ruling).window.name
    const subject = key(4, 5)
    expect([0, 0, 0, 0, 0].map((atMs) => shown(take(subject, atMs)))).toEqual(Array(5).fill('minute'))
    expect(shown(take(subject, 60_000))).toBe('day')
    expect(shown(take(subject, 60_000))).toBe('day')
    const both = key(1, 1)
    const other = { ...both, id: 'other' }
    take(other, 0)
    expect(shown(take(other, 0))).toBe('day')
  })
})
