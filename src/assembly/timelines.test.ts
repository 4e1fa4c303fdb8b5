import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { timelines } from './timelines.js'

const headers = { limit: 60, remaining: 0, reset: 1_768_478_460 }

/** A burst of 60 that is served and 30 that are not, again and again, each in a tenth of a second. */
const bursts = (windows: number): MadeRow[] =>
  Array.from({ length: windows }, (_, window) =>
    Array.from(
      { length: 90 },
      (_, at): MadeRow => ({
        sentMs: window * 60_000 + at,
        status: at < 60 ? 200 : 429,
        ...headers,
        remaining: Math.max(0, 59 - at),
      }),
    ),
  ).flat()

const storyOf = (windows: number) => {
  const [timeline] = timelines(madeEvidence([], { ledgers: [madeLedger(bursts(windows))] }))
  if (!timeline) throw new Error('no timeline')
  return timeline
}

describe('the story of a key', () => {
  it('counts every request by outcome, in at most 96 stretches', () => {
    const { counts, total } = storyOf(200)
    expect(total).toBe(18_000)
    expect(counts.length).toBeLessThanOrEqual(96)
    const sum = (column: 1 | 2 | 3) => counts.reduce((all, each) => all + each[column], 0)
    expect([sum(1), sum(2), sum(3)]).toEqual([12_000, 6_000, 0])
  })

  it('keeps the edges of every burst and both ends, however much is left out', () => {
    const { admissions } = storyOf(200)
    expect(admissions.length).toBeLessThanOrEqual(1_202)
    expect(admissions.at(-1)?.[1]).toBe(12_000)
    for (let window = 0; window < 200; window += 1) {
      const within = admissions.filter(([at]) => Math.floor(at / 60_000) === window).map(([, count]) => count)
      expect([within[0], within.at(-1)]).toEqual([window * 60 + 1, window * 60 + 60])
    }
  })

  it('keeps much of a burst, however short a part of the run it is', () => {
    const sooner = bursts(20).map((row) => ({ ...row, sentMs: row.sentMs / 10 }))
    const later = { sentMs: 3_600_000, ...headers }
    const [timeline] = timelines(madeEvidence([], { ledgers: [madeLedger([...sooner, later])] }))
    expect(timeline?.total).toBe(1_801)
    expect(timeline?.points.length).toBeGreaterThan(300)
    expect(timeline?.points.length).toBeLessThanOrEqual(1_200)
  })

  it('holds the claims about its own window only, not those about the day', () => {
    const rows = [59, 58].map((remaining, at): MadeRow => ({ sentMs: at * 10, ...headers, remaining }))
    const day = { sentMs: 30, ...headers, limit: 1_000, remaining: 940 }
    const [timeline] = timelines(madeEvidence([], { ledgers: [madeLedger([...rows, day])] }))
    expect(timeline?.points.map(([, , , remaining]) => remaining)).toEqual([59, 58, null])
  })

  it('keeps all of a short one', () => {
    const { points, admissions, total } = storyOf(3)
    expect([points.length, admissions.length, total]).toEqual([270, 180, 270])
  })
})
