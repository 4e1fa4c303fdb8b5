import { describe, expect, it } from 'vitest'
import { createJudging, type JudgingMoment } from './judge-between-loads.js'

const quiet = { quietMs: Number.POSITIVE_INFINITY, isWatched: true }
const loaded = { quietMs: 0, isWatched: true }

/** A run whose clock stands still, and whose judgements end when they are told to. */
const held = () => {
  const seen = { now: 0, shown: [] as string[], steps: [] as string[], ended: (_?: string) => {} }
  const timers = new Set<{ readonly at: number; readonly call: () => void }>()
  const judging = createJudging<string>({
    nowMs: () => seen.now,
    show: (result) => seen.shown.push(result),
    after: (ms, call) => {
      const timer = { at: seen.now + ms, call }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    begin: () => {
      seen.steps.push('begin')
      const step = (name: string) => () => void seen.steps.push(name)
      const result = new Promise<string | undefined>((resolve) => {
        seen.ended = resolve
      })
      return { result, pause: step('pause'), goOn: step('go on'), giveUp: step('give up') }
    },
  })
  const pass = (ms: number) => {
    seen.now += ms
    for (const timer of [...timers]) if (timer.at <= seen.now) timer.call()
  }
  /** Asks for a judgement of what there is, and lets it take so long. */
  const judged = async (evidence: string, tookMs: number, result?: string) => {
    const over = judging.look({ evidence, ...quiet })
    pass(tookMs)
    seen.ended(result)
    await over
  }
  return { seen, judging, judged, pass }
}

describe('a run on its way', () => {
  it.each<[string, Partial<JudgingMoment>, boolean]>([
    ['is judged where nobody loads it and somebody looks', {}, true],
    ['is not judged where nobody looks', { isWatched: false }, false],
    ['is not judged while a load may be under way', { quietMs: 0 }, false],
    ['is not judged where a load may begin too soon', { quietMs: 1_000 }, false],
    ['is judged where a load begins later', { quietMs: 1_001 }, true],
  ])('%s', (_, change, expected) => {
    const { seen, judging } = held()
    void judging.look({ evidence: '1', ...quiet, ...change })
    expect(seen.steps).toHaveLength(expected ? 1 : 0)
  })

  it('is not judged again unless there is more, nor before it has rested, nor twice at once', async () => {
    const { seen, judging, judged, pass } = held()
    await judged('1', 1_000, 'first')
    expect(seen.shown).toEqual(['first'])
    pass(3_999)
    void judging.look({ evidence: '2', ...quiet })
    expect(seen.steps).toHaveLength(1)
    pass(1)
    void judging.look({ evidence: '1', ...quiet })
    expect(seen.steps).toHaveLength(1)
    void judging.look({ evidence: '2', ...quiet })
    void judging.look({ evidence: '3', ...quiet })
    expect(seen.steps).toEqual(['begin', 'begin'])
  })

  it('stands still while a load is under way, and goes on when there is none', async () => {
    const { seen, judging, pass } = held()
    const over = judging.look({ evidence: '1', ...quiet })
    void judging.look({ evidence: '2', ...loaded })
    void judging.look({ evidence: '2', ...loaded })
    expect(seen.steps).toEqual(['begin', 'pause'])
    pass(60_000)
    void judging.look({ evidence: '3', isWatched: true, quietMs: 900 })
    expect(seen.steps).toEqual(['begin', 'pause'])
    void judging.look({ evidence: '3', ...quiet })
    expect(seen.steps).toEqual(['begin', 'pause', 'go on'])
    seen.ended('first')
    await over
    expect(seen.shown).toEqual(['first'])
  })

  it('stands still when the time is up that a load leaves, though nothing tells of it', () => {
    const { seen, judging, pass } = held()
    void judging.look({ evidence: '1', isWatched: true, quietMs: 5_000 })
    pass(4_000)
    void judging.look({ evidence: '1', isWatched: true, quietMs: 3_000 })
    pass(2_999)
    expect(seen.steps).toEqual(['begin'])
    pass(1)
    expect(seen.steps).toEqual(['begin', 'pause'])
  })

  it('does not rest for the time that it stood still', async () => {
    const { seen, judging, pass } = held()
    const over = judging.look({ evidence: '1', ...quiet })
    void judging.look({ evidence: '1', ...loaded })
    pass(60_000)
    void judging.look({ evidence: '1', ...quiet })
    pass(500)
    seen.ended('first')
    await over
    pass(3_000)
    void judging.look({ evidence: '2', ...quiet })
    expect(seen.steps.filter((step) => step === 'begin')).toHaveLength(2)
  })

  it('is judged again where nothing came of it', async () => {
    const { seen, judged, pass } = held()
    await judged('1', 10)
    pass(3_000)
    await judged('1', 10, 'second')
    expect(seen.shown).toEqual(['second'])
  })

  it('is not judged any more when it is over', async () => {
    const { seen, judging, pass } = held()
    const over = judging.look({ evidence: '1', ...quiet })
    judging.end()
    seen.ended('too late')
    await over
    pass(60_000)
    void judging.look({ evidence: '2', ...quiet })
    expect([seen.steps, seen.shown]).toEqual([['begin', 'give up'], []])
  })
})
