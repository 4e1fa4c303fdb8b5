import { describe, expect, it } from 'vitest'
import { jitterOf, spreadsOf } from './schedule.js'

const attempt = (medianMs: number, waitsMs: readonly number[]) => ({ medianMs, waitsMs })
const evenly = (from: number, to: number, plays: number) =>
  Array.from({ length: plays }, (_, at) => from + ((to - from) * at) / (plays - 1))

describe('jitter', () => {
  it.each([
    ['a spread of a tenth', evenly(1000, 1100, 10), 0, 'yes'],
    ['a spread of 4 %', evenly(1000, 1040, 10), 0, 'no'],
    ['a spread below 30 ms', evenly(100, 125, 10), 0, 'no'],
    ['one play that stalled', [...Array(9).fill(1000), 1400], 0, 'no'],
    ['a spread that the machine may have made', evenly(1000, 1100, 10), 60, 'unclear'],
    ['a spread beyond what the machine does', evenly(1000, 1400, 10), 60, 'yes'],
    ['seven plays', evenly(1000, 1400, 7), 0, 'too-few-plays'],
  ] as const)('%s', (_name, waits, lateMs, kind) => {
    expect(jitterOf(spreadsOf([attempt(1000, waits)], lateMs), 0).kind).toBe(kind)
  })

  it('of one attempt in three is the machine, not the client', () => {
    const same = attempt(2000, Array(10).fill(2000))
    expect(jitterOf(spreadsOf([attempt(1000, evenly(1000, 1200, 10)), same, same], 0), 0).kind).toBe('no')
  })

  const atOnce = attempt(3, evenly(2, 4, 10))
  const spread = attempt(1000, evenly(900, 1200, 10))
  it.each([
    ['none where each attempt comes at once', [atOnce, atOnce], 0, 0, 'too-few-plays'],
    ['that of the waits alone, where four attempts in five come at once', [atOnce, atOnce, spread], 0, 0, 'yes'],
    ['none where those waits are the same', [atOnce, atOnce, attempt(1000, Array(10).fill(1000))], 0, 0, 'no'],
    ['unclear of what the machine may have made a wait', [attempt(120, evenly(60, 180, 10))], 30, 30, 'unclear'],
    ['unclear of a single wait, where a stall may have spread it', [spread, atOnce], 40, 200, 'unclear'],
    [
      'unclear of a single wait beside what may be none, where a stall may have spread it',
      [spread, attempt(120, evenly(60, 180, 10))],
      40,
      200,
      'unclear',
    ],
    [
      'that of a single wait beside what may be none, beyond all stalls',
      [spread, attempt(120, evenly(60, 180, 10))],
      40,
      100,
      'yes',
    ],
    ['that of two waits, where not all can be stalls', [spread, spread], 40, 200, 'yes'],
  ] as const)('is %s', (_name, attempts, lateMs, mostLateMs, kind) => {
    expect(jitterOf(spreadsOf(attempts, lateMs), mostLateMs).kind).toBe(kind)
  })
})
