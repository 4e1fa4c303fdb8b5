import { expect, test } from 'vitest'
import { Pace } from './pacer.js'

type PaceSpec = ConstructorParameters<typeof Pace>[0]

import { constantRate } from './schedule.js'

/** A pace on a clock that stands still until `passMs` moves it, from wake to wake; each wake comes when it was asked for. */
const pacedBy = (spec: PaceSpec, startMs = 1000) => {
  let now = startMs
  const wakes = new Map<() => void, number>()
  const wakeIn = (ms: number, wake: () => void) => {
    wakes.set(wake, now + ms)
    return () => wakes.delete(wake)
  }
  const wentMs: number[] = []
  const soon: number[] = []
  const send = () => {
    while (wentMs.length < pace.due && !pace.holdsBack()) {
      pace.went(now)
      wentMs.push(now)
    }
  }
  const pace: Pace = new Pace(spec, { monotonicMs: () => now, wakeIn }, { send, soon: (due) => soon.push(due) })
  const passMs = (ms: number) => {
    const end = now + ms
    for (;;) {
      const [next] = [...wakes].sort(([, one], [, other]) => one - other)
      if (!next || next[1] > end) break
      wakes.delete(next[0])
      now = Math.max(now, next[1])
      next[0]()
    }
    now = end
  }
  const stallMs = (ms: number) => {
    now += ms
  }
  return { pace, wentMs, soon, passMs, stallMs, pending: () => wakes.size }
}

test('without a shape all are due as soon as the load begins, and none has a planned time', () => {
  const { pace, wentMs } = pacedBy({ amount: 3 })
  expect(pace.due).toBe(0)
  pace.begin()
  expect(wentMs).toEqual([1000, 1000, 1000])
  expect(pace.plannedMs(1)).toBeNaN()
})

test('each goes when its shape says so, counted from the begin', () => {
  const { pace, wentMs, passMs } = pacedBy({ amount: 3, shape: constantRate(10) })
  pace.begin()
  passMs(1000)
  expect(wentMs).toEqual([1000, 1100, 1200])
  expect([0, 1, 2].map((n) => pace.plannedMs(n))).toEqual([1000, 1100, 1200])
})

test('a load that is early waits for the moment that its spec names', () => {
  const { pace, wentMs, passMs } = pacedBy({ amount: 2, beginAtMs: 1500 })
  pace.begin()
  passMs(499)
  expect(wentMs).toEqual([])
  passMs(1)
  expect(wentMs).toEqual([1500, 1500])
})

test('a load that is late for its moment sends what is overdue at once, and plans from that moment', () => {
  const { pace, wentMs } = pacedBy({ amount: 10, shape: constantRate(10), beginAtMs: 750 })
  pace.begin()
  expect(wentMs).toEqual([1000, 1000, 1000])
  expect(pace.plannedMs(0)).toBe(750)
})

test('a ceiling keeps apart what is due at once, but for 5 ms once', () => {
  const { pace, wentMs, passMs } = pacedBy({ amount: 4, mostPerSecond: 50 })
  pace.begin()
  passMs(1000)
  expect(wentMs).toEqual([1000, 1015, 1035, 1055])
})

test('after a stall a ceiling lets what is overdue go no closer together than its rate, but for 5 ms', () => {
  const { pace, wentMs, passMs, stallMs } = pacedBy({ amount: 6, shape: constantRate(50), mostPerSecond: 50 })
  pace.begin()
  stallMs(70)
  passMs(1000)
  expect(wentMs).toEqual([1000, 1070, 1085, 1105, 1125, 1145])
})

test('a pace that holds back waits once, however often it is asked', () => {
  const { pace, pending } = pacedBy({ amount: 4, mostPerSecond: 50 })
  pace.begin()
  expect([pace.holdsBack(), pace.holdsBack()]).toEqual([true, true])
  expect(pending()).toBe(1)
})

test.each<[string, PaceSpec]>([
  ['waits for its moment', { amount: 5, beginAtMs: 5000 }],
  ['is held back', { amount: 5, mostPerSecond: 50 }],
  ['waits for what is due next', { amount: 5, shape: constantRate(10) }],
])('a pace that is stopped while it %s tells nothing more', (_, spec) => {
  const { pace, wentMs, passMs, pending } = pacedBy(spec)
  pace.begin()
  const before = wentMs.length
  pace.stop()
  expect(pending()).toBe(0)
  passMs(10_000)
  expect(wentMs.length).toBe(before)
})
