import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../readings/history.js'
import { judgeQuota } from './judge-quota.js'
import { type HistoryEvent, historyOf } from './testing/made-history.js'

const page = readFileSync(new URL('../../docs/explanation/evidence.md', import.meta.url), 'utf8')
const minute = { limit: 60, windowMs: 60_000 }

/** Requests one after the other, evenly over a stretch, each answered within a millisecond. */
const burst = (fromMs: number, lengthMs: number, ...parts: readonly [Decision, number][]): HistoryEvent[] => {
  const outcomes = parts.flatMap(([outcome, count]) => Array.from({ length: count }, () => outcome))
  const sentAt = (i: number) => fromMs + (i * lengthMs) / outcomes.length
  return outcomes.map((outcome, i) => ({ sentMs: sentAt(i), receivedMs: sentAt(i) + 1, outcome }))
}

const oneTooMany = (fromMs: number) => burst(fromMs, 400, ['admitted', 61], ['refused', 29])

describe('the page on when a pass is earned', () => {
  it.each([
    ['A', burst(0, 1000, ['admitted', 60], ['refused', 30]), []],
    ['B', [...oneTooMany(0), ...oneTooMany(97_000)], []],
    ['C', burst(0, 1000, ['admitted', 40]), []],
    ['D', burst(0, 1000, ['admitted', 58], ['unknown', 4], ['refused', 28]), ['answers-lost']],
  ] as const)('gives run %s the verdict that it gets', (run, events, doubts) => {
    const [, row = ''] = page.split(`\n| ${run} | `)
    const cells = row.split('\n')[0].split(' | ')
    const judged = judgeQuota(historyOf(events), minute, { keyIsQuiet: true, doubts })
    expect(cells[3]).toBe(judged.verdict)
    const counted = (outcome: Decision) => events.filter((each) => each.outcome === outcome).length
    const told = (cell: string) => cell.split(/, | and /).reduce((sum, each) => sum + Number(each), 0)
    expect(cells.slice(1, 3).map(told)).toEqual([counted('admitted'), counted('refused')])
  })

  it('says rightly that the first burst of B alone may be that of a clock whose minute ends in it', () => {
    expect(judgeQuota(historyOf(oneTooMany(0)), minute)).toMatchObject({
      verdict: 'pass',
      models: expect.arrayContaining(['fixed-window']),
    })
  })

  it('says rightly that 120 within 2 s may be right for a fixed window, and are not for a bucket', () => {
    const judged = judgeQuota(historyOf(burst(0, 2000, ['admitted', 120], ['refused', 10])), minute)
    expect(judged).toMatchObject({ verdict: 'pass', models: expect.arrayContaining(['fixed-window']) })
    expect(judged).toMatchObject({ models: expect.not.arrayContaining(['token-bucket']) })
  })
})
