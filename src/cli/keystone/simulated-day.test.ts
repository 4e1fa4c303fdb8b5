import { describe, expect, it } from 'vitest'
import { algorithmNames } from '../../../reference-server/limiters/algorithms.js'
import { limitVariations } from '../../../reference-server/variations/limits.js'
import { dayLimit, judgedDays } from '../../petstore/checks/quota.js'
import { playSimulatedDay, type SimulatedDay } from './testing/simulated-day.js'

const verdictOf = async (day: SimulatedDay): Promise<string> => dayLimit.judge(await playSimulatedDay(day)).verdict

/** A few hours before, a few seconds before, most of the day. */
const used: readonly (readonly [string, SimulatedDay['prior']])[] = [
  ['never used', undefined],
  ['used an hour before', { requests: 300, endedMsBefore: 3_600_000 }],
  ['used until just before', { requests: 40, endedMsBefore: 100 }],
  ['used for its last few', { requests: 985, endedMsBefore: 120_000 }],
  ['spent', { requests: 1_000, endedMsBefore: 60_000 }],
  ['used yesterday', { requests: 1_000, endedMsBefore: 90_000_000 }],
  ['used for a part until a day less ten minutes before', { requests: 500, endedMsBefore: 84_800_000 }],
]

/** Moments of the target's own day: its middle, and so that it ends in the run. */
const starts = [0, 40_000_123, 85_600_000]

describe.each([...algorithmNames.entries()])('the day of a right target (%i) that counts by %s', (at, algorithm) => {
  // Each of two meets each of the third: an algorithm and an earlier use have one start together, in turn.
  it.each([...used.entries()])('is never failed on a key of earlier use %i: %s', async (nth, [, prior]) => {
    const startMs = starts[(at + nth) % starts.length]
    expect(await verdictOf({ algorithm, prior, startMs, unused: false })).not.toBe('fail')
  })

  it('passes where its answers show the limit of the day alone, and a zero on every 429', async () => {
    expect(await verdictOf({ algorithm, showsDayOnly: true, unused: true })).toBe('pass')
    expect(await verdictOf({ algorithm, showsDayOnly: true, unused: false })).not.toBe('fail')
  })

  it('passes on a key that was never used, where the scenario says so', async () => {
    for (const startMs of starts.slice(0, 2)) expect(await verdictOf({ algorithm, startMs, unused: true })).toBe('pass')
  })
})

describe('the day of a target that is right in another way', () => {
  it.each([...Object.keys(limitVariations).entries()])(
    'passes, or is left open where the key may have been used: variation %i, %s',
    async (nth, id) => {
      expect(await verdictOf({ variations: [id], unused: true })).toBe('pass')
      const priors = used.filter((_, at) => (at + nth) % 3 === 0)
      for (const [, prior] of priors)
        expect(await verdictOf({ variations: [id], prior, unused: false })).not.toBe('fail')
    },
  )

  it('passes where what the minute refuses counts in the day', async () => {
    expect(await verdictOf({ variations: ['refused-count-in-the-day'], unused: false })).toBe('pass')
  })
})

describe('a day that is wrong', () => {
  it.each([
    ['day-limit-ignored', 'no-limit'],
    ['day-begins-again-each-minute', 'no-limit'],
    ['day-count-stops-after-minute-refusal', 'no-limit'],
    ['day-limit-plus-one', 'limit-higher-by-one'],
    ['day-counts-double-after-minute-refusal', 'requests-count-twice'],
  ])('fails on a key that may have been used before: %s', async (fault, looksLike) => {
    const evidence = await playSimulatedDay({ faults: [fault], unused: false })
    expect(dayLimit.judge(evidence)).toMatchObject({ verdict: 'fail', facts: { looksLike } })
  })

  it('fails where it leaves an operation out, and names it', async () => {
    const evidence = await playSimulatedDay({ faults: ['day-leaves-out-patches'], unused: false })
    const facts = { admitted: 1_004, leftOut: 'updateInventory' }
    expect(dayLimit.judge(evidence)).toMatchObject({ verdict: 'fail', facts })
  })

  it.each(['day-limit-minus-one', 'day-limit-plus-one', 'day-limit-ignored', 'day-counts-double-after-minute-refusal'])(
    'fails on a key that was not used before: %s',
    async (fault) => {
      expect(await verdictOf({ faults: [fault], unused: true })).toBe('fail')
    },
  )

  it.each([true, false])(
    'is left open where one too many is shown as the limit too, and a day may have ended, unused: %s',
    async (unused) => {
      const evidence = await playSimulatedDay({ faults: ['day-limit-plus-one'], showsLimit: 1_001, unused })
      expect(dayLimit.judge(evidence)).toMatchObject({
        verdict: 'inconclusive',
        facts: { reason: 'day-may-have-ended' },
      })
    },
  )

  it('is left open where one too few could come of earlier use', async () => {
    const evidence = await playSimulatedDay({ faults: ['day-limit-minus-one'], unused: false })
    expect(dayLimit.judge(evidence)).toMatchObject({ verdict: 'inconclusive', facts: { reason: 'used-before' } })
  })
})

describe('the spending of a day', () => {
  it.each([
    ['at once, if it fits into a window', 970, true],
    ['evenly, if it does not', 900, false],
  ])('sends the rest of one %s, until the day refuses it', async (_, spent, isAtOnce) => {
    // The first look at the key is the last of these.
    const prior = { requests: spent - 1, endedMsBefore: 60_000 }
    const { ledgers } = await playSimulatedDay({ prior, spent, unused: false })
    const [{ rows }] = ledgers.filter(({ head }) => head.id === 'daily-end-free')
    const sentInMs = (rows.sentUs[rows.length - 1] - rows.sentUs[0]) / 1_000
    expect(sentInMs < 1_000).toBe(isAtOnce)
    const admitted = rows.status.filter((each) => each === 200).length
    expect(admitted).toBeGreaterThan(0)
    expect(rows.status.subarray(admitted).every((each) => each === 429)).toBe(true)
  })

  it('meets refusals of the minute early in the day, and again near its end', async () => {
    const { ledgers } = await playSimulatedDay({ unused: true })
    const parts = ledgers.map(({ head, rows }) => [head.id, rows.status.filter((each) => each === 429).length])
    expect(parts).toEqual([
      ['daily-early-burst-free', 3],
      ['daily-free', 0],
      ['daily-late-burst-free', 3],
      ['daily-end-free', 20],
    ])
  })

  it('stays within twice the day and a hundred, whatever the target admits', async () => {
    const evidence = await playSimulatedDay({ faults: ['day-limit-ignored'], unused: false })
    expect(judgedDays(evidence)[0].key.record.size).toBeLessThanOrEqual(2_100 + 18)
  })
})
