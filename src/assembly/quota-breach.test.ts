import { describe, expect, it } from 'vitest'
import type { JudgedKey } from '../oracle/judged-keys.js'
import { shownBreach } from '../oracle/shown-breach.js'
import { outcomes } from '../readings/history.js'
import { drawnBreach } from './quota-figures.js'

type Answer = readonly [sentMs: number, tookMs: number, outcome: keyof typeof outcomes]

/** A key with ten a second whose history was judged a failure of that side; `witnesses` are rows of it. */
const keyOf = (
  answers: readonly Answer[],
  side: 'over-admission' | 'early-refusal' = 'over-admission',
  witnesses: readonly number[] = [],
): JudgedKey => {
  const refutation = { verdict: 'refuted', reason: 'over-admission', overAdmitted: 1, earlyRefused: 0, witnesses }
  return {
    name: 'free',
    plan: 'free',
    record: {
      size: answers.length,
      sentMs: Float64Array.from(answers, ([sent]) => sent),
      receivedMs: Float64Array.from(answers, ([sent, took]) => sent + took),
      witness: (i: number) => ({ id: `x${i}` }),
    },
    history: { outcome: Uint8Array.from(answers, ([, , outcome]) => outcomes[outcome]) },
    agreed: { limit: 10, windowMs: 1_000 },
    judgement: { verdict: 'fail', side, explanations: { 'sliding-log': refutation } },
  } as unknown as JudgedKey
}

const admitted = (count: number, fromMs: number, everyMs: number): Answer[] =>
  Array.from({ length: count }, (_, i) => [fromMs + i * everyMs, 2, 'admitted'])

describe('what shows best that a quota is broken', () => {
  it.each<[string, JudgedKey, ReturnType<typeof shownBreach>]>([
    [
      'is the stretch between the witnesses where the excess is smallest',
      keyOf(
        [...admitted(11, 0, 20), ...admitted(9, 500, 20)],
        'over-admission',
        Array.from({ length: 11 }, (_, i) => i),
      ),
      { kind: 'over-admission', fromMs: 0, toMs: 202, admitted: 11 },
    ],
    [
      'is the fullest window where that is more than two windows let through that meet',
      keyOf(
        [...admitted(11, 0, 20), ...admitted(10, 500, 20)],
        'over-admission',
        Array.from({ length: 11 }, (_, i) => i),
      ),
      { kind: 'over-admission', fromMs: 0, toMs: 682, admitted: 21 },
    ],
    [
      'is the fullest window where the witnesses lie too far apart',
      keyOf([...admitted(6, 0, 20), ...admitted(8, 500, 20), ...admitted(1, 3_000, 1)], 'over-admission', [0, 14]),
      { kind: 'over-admission', fromMs: 0, toMs: 642, admitted: 14 },
    ],
    [
      'is nothing where no window holds more than the limit',
      keyOf([...admitted(10, 0, 20), ...admitted(9, 1_500, 20)]),
      undefined,
    ],
    [
      'is the refusal before which the fewest can have been counted, with all that may have been',
      keyOf(
        [...admitted(4, 0, 20), [300, 2, 'refused'], ...admitted(3, 900, 5), [1_050, 2, 'refused']],
        'early-refusal',
      ),
      { kind: 'early-refusal', fromMs: -700, toMs: 302, admitted: 4 },
    ],
    [
      'is nothing where every refusal may have had a full window before it',
      keyOf([...admitted(10, 0, 20), [300, 2, 'refused']], 'early-refusal'),
      undefined,
    ],
  ])('%s', (_, key, shown) => {
    expect(shownBreach(key, [])).toEqual(shown)
  })

  it('is nothing of a quota that is kept', () => {
    const key = keyOf(admitted(11, 0, 20))
    expect(shownBreach(key, [])).toMatchObject({ admitted: 11 })
    const kept = { ...key, judgement: { verdict: 'pass', models: [], explanations: {} } } as unknown as JudgedKey
    expect(shownBreach(kept, [])).toBeUndefined()
  })

  it('counts what each request costs', () => {
    const key = keyOf([...admitted(3, 0, 20), [70, 2, 'refused']])
    const costing = (...cost: number[]): JudgedKey => ({
      ...key,
      record: { ...key.record, cost: Uint16Array.from(cost) },
    })
    expect(shownBreach(costing(5, 5, 1, 1), [])).toMatchObject({ toMs: 42, admitted: 11 })
    expect(shownBreach(costing(5, 4, 1, 1), [])).toBeUndefined()
    const early = (...cost: number[]) => ({ ...costing(...cost), judgement: keyOf([], 'early-refusal').judgement })
    expect(shownBreach(early(3, 3, 1, 3), [])).toMatchObject({ kind: 'early-refusal', admitted: 7 })
    expect(shownBreach(early(3, 3, 1, 4), [])).toBeUndefined()
  })

  it('knows that a bucket gets some back meanwhile, and how long it takes to be whole', () => {
    // Ten at once, and ten a second.
    const inBucket = (answers: readonly Answer[], side?: 'early-refusal'): JudgedKey => ({
      ...keyOf(answers, side),
      agreed: { limit: 1, windowMs: 100, burst: 10 },
    })
    expect(shownBreach(inBucket(admitted(11, 0, 5)), [])).toMatchObject({ admitted: 11, toMs: 52 })
    expect(shownBreach(inBucket(admitted(11, 0, 20)), [])).toBeUndefined()
    expect(shownBreach(inBucket([...admitted(9, 0, 5), [50, 2, 'refused']], 'early-refusal'), [])).toMatchObject({
      fromMs: -950,
      admitted: 9,
    })
    expect(shownBreach(inBucket([...admitted(10, 0, 5), [50, 2, 'refused']], 'early-refusal'), [])).toBeUndefined()
  })
})

describe('the picture of a breach', () => {
  it('has each answer when it came, with what had been admitted by then, and a little of what came next', () => {
    const key = keyOf([...admitted(11, 0, 20), [210, 10, 'refused'], [900, 10, 'admitted']])
    const drawn = drawnBreach(key, { kind: 'over-admission', fromMs: 0, toMs: 202, admitted: 11 }, [])
    expect(drawn.answers.slice(-3)).toEqual([
      [182, 'admitted', 10],
      [202, 'admitted', 11],
      [220, 'refused', 11],
    ])
    expect(drawn).toMatchObject({ admitted: 11, refused: 0 })
  })

  it('names the last one within the limit and the first beyond it, and knows the burst', () => {
    const key = keyOf([...admitted(11, 0, 20), [210, 10, 'refused'], [900, 10, 'admitted']])
    const shown = { kind: 'over-admission', fromMs: 0, toMs: 202, admitted: 11 } as const
    const all = Array.from({ length: 12 }, (_, i) => i)
    expect(drawnBreach(key, shown, all)).toMatchObject({
      isBurst: true,
      shownBy: [
        { id: 'x9', receivedMs: 182, outcome: 'admitted', admitted: 10 },
        { id: 'x10', receivedMs: 202, outcome: 'admitted', admitted: 11 },
      ],
    })
    expect(drawnBreach(key, shown, all.slice(1))).toMatchObject({ isBurst: false })
    // What came after the stretch need not be of the burst.
    expect(drawnBreach(key, shown, all.slice(0, 11))).toMatchObject({ isBurst: true })
  })

  it('names the last one within the limit and the first beyond it by what they cost', () => {
    const made = keyOf(admitted(4, 0, 20))
    const key = { ...made, record: { ...made.record, cost: Uint16Array.of(4, 4, 4, 1) } }
    const shown = { kind: 'over-admission', fromMs: 0, toMs: 62, admitted: 13 } as const
    expect(drawnBreach(key, shown, []).shownBy?.map(({ id, admitted: by }) => [id, by])).toEqual([
      ['x1', 8],
      ['x2', 12],
    ])
  })

  it('names the refusal that came too early', () => {
    const key = keyOf([...admitted(4, 0, 20), [300, 2, 'refused']], 'early-refusal')
    const shown = { kind: 'early-refusal', fromMs: -700, toMs: 302, admitted: 4 } as const
    expect(drawnBreach(key, shown, []).shownBy).toEqual([
      { id: 'x4', receivedMs: 302, outcome: 'refused', admitted: 4 },
    ])
  })

  it('keeps the answers at the limit and the last one, however many there are', () => {
    const key = { ...keyOf(admitted(5_000, 0, 0.1)), agreed: { limit: 4_321, windowMs: 1_000 } }
    const { answers } = drawnBreach(key, { kind: 'over-admission', fromMs: 0, toMs: 600, admitted: 5_000 }, [])
    const counts = answers.map(([, , count]) => count)
    expect(counts.length).toBeLessThan(320)
    expect(counts).toEqual(expect.arrayContaining([1, 4_321, 4_322, 5_000]))
  })
})
