import { describe, expect, it } from 'vitest'
import { jitterOf, spreadsOf } from './jitter.js'

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
    expect(jitterOf(spreadsOf([attempt(1000, waits)], lateMs)).kind).toBe(kind)
  })

  it('of one attempt in three is the machine, not the client', () => {
    const same = attempt(2000, Array(10).fill(2000))
    expect(jitterOf(spreadsOf([attempt(1000, evenly(1000, 1200, 10)), same, same], 0)).kind).toBe('no')
  })
})
