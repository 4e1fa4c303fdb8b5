import { describe, expect, it } from 'vitest'
import { createJudging, type JudgingMoment } from './judge-between-loads.js'

const quiet = { quietMs: Number.POSITIVE_INFINITY, isWatched: true }

/** A run whose clock stands still, and whose judgements end when they are told to. */
const held = () => {
  const seen = { now: 0, shown: [] as string[], begun: [] as number[], ended: (_?: string) => {}, isGivenUp: false }
  const judging = createJudging<string>({
    nowMs: () => seen.now,
    show: (result) => seen.shown.push(result),
    judge: (withinMs, signal) => {
      seen.begun.push(withinMs)
      seen.isGivenUp = false
      return new Promise((resolve) => {
        seen.ended = resolve
        signal.addEventListener('abort', () => {
          seen.isGivenUp = true
          resolve(undefined)
        })
      })
    },
  })
  /** Asks for a judgement of what there is, and lets it take so long. */
  const judged = async (evidence: string, tookMs: number, result?: string) => {
    const over = judging.look({ evidence, ...quiet })
    seen.now += tookMs
    seen.ended(result)
    await over
  }
  return { seen, judging, judged }
}

describe('a run on its way', () => {
  it.each<[string, Partial<JudgingMoment>, boolean]>([
    ['is judged where nobody loads it and somebody looks', {}, true],
    ['is not judged where nobody looks', { isWatched: false }, false],
    ['is not judged while a load may be under way', { quietMs: 0 }, false],
    ['is not judged where a load may begin too soon', { quietMs: 2_000 }, false],
    ['is judged where a load begins later', { quietMs: 2_500 }, true],
  ])('%s', (_, change, expected) => {
    const { seen, judging } = held()
    void judging.look({ evidence: '1', ...quiet, ...change })
    expect(seen.begun).toHaveLength(expected ? 1 : 0)
  })

  it('is not judged again unless there is more, nor before it has rested', async () => {
    const { seen, judging, judged } = held()
    await judged('1', 1_000, 'first')
    expect(seen.shown).toEqual(['first'])
    seen.now += 3_999
    void judging.look({ evidence: '2', ...quiet })
    expect(seen.begun).toHaveLength(1)
    seen.now += 1
    void judging.look({ evidence: '1', ...quiet })
    expect(seen.begun).toHaveLength(1)
    void judging.look({ evidence: '2', ...quiet })
    void judging.look({ evidence: '3', ...quiet })
    expect(seen.begun).toHaveLength(2)
  })

  it('is judged in as much time as a load leaves, which the last judgement has to fit in', async () => {
    const { seen, judging, judged } = held()
    await judged('1', 4_000, 'first')
    seen.now += 60_000
    void judging.look({ evidence: '2', isWatched: true, quietMs: 6_000 })
    expect(seen.begun).toHaveLength(1)
    void judging.look({ evidence: '2', isWatched: true, quietMs: 6_001 })
    expect(seen.begun[1]).toBe(6_001)
  })

  it('is judged no further once a load has begun, and is judged later', async () => {
    const { seen, judging } = held()
    const over = judging.look({ evidence: '1', ...quiet })
    void judging.look({ evidence: '2', isWatched: true, quietMs: 100 })
    expect(seen.isGivenUp).toBe(false)
    void judging.look({ evidence: '2', isWatched: true, quietMs: 0 })
    await over
    expect([seen.isGivenUp, seen.shown]).toEqual([true, []])
    seen.now += 3_000
    void judging.look({ evidence: '2', ...quiet })
    expect(seen.begun).toHaveLength(2)
  })

  it('is judged again where nothing came of it', async () => {
    const { seen, judged } = held()
    await judged('1', 10)
    seen.now += 3_000
    await judged('1', 10, 'second')
    expect(seen.shown).toEqual(['second'])
  })

  it('is not judged any more when it is over', async () => {
    const { seen, judging } = held()
    const over = judging.look({ evidence: '1', ...quiet })
    judging.end()
    await over
    seen.now += 60_000
    void judging.look({ evidence: '2', ...quiet })
    expect([seen.isGivenUp, seen.begun.length, seen.shown]).toEqual([true, 1, []])
  })
})
