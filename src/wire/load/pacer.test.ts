import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pace, type timerAlarm } from './pacer.js'
import { batches, constantRate } from './schedule.js'

/** An alarm that wakes as early or as late as `errorsMs` say, in turn, on a clock of its own. */
const heldAlarm = (errorsMs: readonly number[]) => {
  let now = 1000
  let wakes = 0
  let pending: (() => void) | undefined
  const alarm: ReturnType<typeof timerAlarm> = {
    monotonicMs: () => now,
    wakeIn(ms, wake) {
      const atMs = now + Math.max(0, ms + (errorsMs[wakes % errorsMs.length] ?? 0))
      pending = () => {
        // Time passes even where a wake comes at once.
        now = Math.max(atMs, now + 0.01)
        wake()
      }
      return () => {
        pending = undefined
      }
    },
  }
  const turn = () => {
    const wake = pending
    pending = undefined
    wakes++
    wake?.()
    return wake !== undefined
  }
  return { alarm, turn, now: () => now }
}

const pace = (shape: (n: number) => number, amount: number, errorsMs: readonly number[] = [0]) => {
  const held = heldAlarm(errorsMs)
  const lateMs: number[] = []
  const soon: number[] = []
  const send = () => {
    while (lateMs.length < paced.due) lateMs.push(held.now() - 1000 - shape(lateMs.length))
  }
  const paced: Pace = new Pace({ shape, amount }, held.alarm, { send, soon: (due) => soon.push(due) })
  paced.begin()
  return { lateMs, soon, stop: () => paced.stop(), turn: held.turn }
}

test('whatever the timers do, all are released, none early, and lateness does not add up', () => {
  const rate = fc.double({ min: 1 / 60, max: 5000, noNaN: true })
  const errorsMs = fc.array(fc.double({ min: -1.5, max: 5, noNaN: true }), { minLength: 1 })
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 300 }), errorsMs, (perSecond, amount, errors) => {
      const { lateMs, turn } = pace(constantRate(perSecond), amount, errors)
      while (turn());
      expect(lateMs.length).toBe(amount)
      expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...lateMs)).toBeLessThanOrEqual(5.02)
    }),
  )
})

test('what is due during a stall is released at once after it', () => {
  const { lateMs, turn } = pace(constantRate(100), 20, [95, 0])
  turn()
  expect(lateMs.length).toBe(11)
})

test('notice is given before what comes after a pause, of all that comes at once', () => {
  const shape = batches([
    { atMs: 0, amount: 1 },
    { atMs: 6000, amount: 29 },
  ])
  const { soon, turn } = pace(shape, 30)
  while (turn());
  expect(soon).toEqual([30])
})

test('a pacer that is stopped releases nothing more', () => {
  const { lateMs, stop, turn } = pace(constantRate(10), 100)
  turn()
  const before = lateMs.length
  stop()
  expect(turn()).toBe(false)
  expect(lateMs.length).toBe(before)
})
