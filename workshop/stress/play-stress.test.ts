import { describe, expect, it } from 'vitest'
import { faults, variations } from '../../reference-server/faults/catalogue.js'
import { UsageError } from '../../src/kit/usage-error.js'
import { type StressOptions, trialsLeft } from './play-stress.js'
import type { StressResult } from './results.js'
import { conditionsIn, partIn } from './stress-flags.js'

const options: StressOptions = {
  under: ['quiet'],
  ids: [],
  part: { nth: 1, of: 1 },
  seed: 1,
  timeScale: 10,
  build: 'b1',
  commit: null,
  earlier: [],
  note: () => {},
  noteCrowd: () => {},
}

const played = (differs: Partial<StressResult>): StressResult => ({
  condition: 'slow',
  kind: 'variation',
  id: 'gzip',
  seed: 1,
  timeScale: 10,
  build: 'b1',
  commit: null,
  expected: [],
  failing: [],
  open: [],
  passing: [],
  exact: true,
  exitCode: 0,
  seconds: 40,
  ...differs,
})

const open = { exact: false, open: ['RATE-6'], exitCode: 2 }
const broken = { exact: false, failing: ['broke down'], exitCode: 4 }

describe('what is left to be played under a condition', () => {
  it('is each fault and variation, in parts that have each of them once', () => {
    const parts = [1, 2, 3].map((nth) => trialsLeft({ ...options, part: { nth, of: 3 } }, 'slow').map(({ id }) => id))
    const all = [...faults, ...variations].map(({ id }) => id)
    expect(parts.flat().sort()).toEqual([...all].sort())
    expect(Math.max(...parts.map((part) => part.length)) - Math.min(...parts.map((part) => part.length))).toBeLessThan(
      2,
    )
  })

  it.each<[string, Partial<StressResult>[], number]>([
    ['was not played', [], 1],
    ['was settled', [{}], 0],
    ['was left open', [open], 0],
    ['broke down', [broken], 1],
    ['broke down again', [broken, broken], 0],
    ['was settled under another condition', [{ condition: 'delayed' }], 1],
    ['was left open among others where it should be quiet', [{ ...open, condition: 'quiet' }], 1],
  ])('what %s', (_, plays, left) => {
    const condition = plays.some((play) => play.condition === 'quiet') ? 'quiet' : 'slow'
    const chosen = { ...options, ids: ['gzip'], earlier: plays.map(played) }
    expect(trialsLeft(chosen, condition)).toHaveLength(left)
  })
})

describe('the flags of the matrix under stress', () => {
  it('name conditions, in whatever order', () => {
    expect(conditionsIn('delayed, quiet')).toEqual(['quiet', 'delayed'])
    expect(partIn('3/8')).toEqual({ nth: 3, of: 8 })
  })

  it.each(['', 'quiet,', 'busy', 'quiet;slow'])('turn down --under %s', (text) => {
    expect(() => conditionsIn(text)).toThrow(UsageError)
  })

  it.each(['', '0/3', '4/3', '1', 'a/b', '1/0'])('turn down --part %s', (text) => {
    expect(() => partIn(text)).toThrow(UsageError)
  })
})
