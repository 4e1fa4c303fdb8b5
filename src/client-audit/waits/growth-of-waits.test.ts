import { describe, expect, it } from 'vitest'
import { growthOf } from './growth.js'

/** Waits in ms that ten plays share, but for a part of them that spreads evenly round it. */
const attempts = (medians: readonly number[], part = 0) =>
  medians.map((medianMs) => ({
    medianMs,
    waitsMs: Array.from({ length: 10 }, (_, at) => medianMs * (1 + part * ((at - 4.5) / 4.5))),
  }))

describe('waits grow exponentially', () => {
  it.each([
    ['that double', [1000, 2000, 4000, 8000], 'grows'],
    ['that grow linearly', [1000, 2000, 3000, 4000], 'stays'],
    ['that are squares', [1000, 4000, 9000, 16_000], 'grows'],
    ['that are one and the same', [1000, 1000, 1000, 1000], 'stays'],
    ['that double up to a cap', [1000, 2000, 4000, 4000, 4050, 3980], 'grows'],
    ['that come to their cap at once', [1000, 2000, 2000, 2000], 'unclear'],
    ['whose last one a cap may have clipped', [1000, 3000, 9000, 11_000], 'unclear'],
    ['that grow by a third', [1000, 1330, 1770, 2350], 'stays'],
    ['that fall', [4000, 2000, 1000], 'stays'],
    ['of which there are two', [1000, 2000], 'too-few'],
    ['that double after an attempt at once', [5, 500, 1000, 2000], 'grows'],
    ['of which there are two, after an attempt at once', [5, 600, 1200], 'too-few'],
    ['that come to their cap at once, after an attempt at once', [5, 600, 1000, 1000, 1000], 'unclear'],
    ['that grow by too little, after two attempts at once', [5, 60, 600, 700, 1000], 'stays'],
    ['that fall back to an attempt at once', [500, 1000, 2000, 5], 'stays'],
    ['none of which is a wait', [5, 10, 20, 40], 'too-few'],
  ] as const)('%s', (_name, medians, kind) => {
    expect(growthOf(attempts(medians), 0).kind).toBe(kind)
  })

  it('tells base, factor and cap', () => {
    expect(growthOf(attempts([500, 1000, 2000, 2010, 2020]), 0)).toMatchObject({ kind: 'grows', capAt: 2 })
    const growth = growthOf(attempts([500, 1000, 2000, 2010, 2020]), 0)
    expect(growth.kind !== 'too-few' && growth.meanRatio).toBeCloseTo(2)
  })

  it.each([
    ['a last ratio that jitter explains may as well be that of equal steps', [1000, 2000, 4000, 5200], 0.9, 'unclear'],
    ['a constant wait with moderate jitter is not taken for growth', [1000, 1040, 980, 1010], 0.2, 'stays'],
    ['nor one with more', [1000, 1040, 980, 1010], 0.3, 'unclear'],
    ['equal steps with jitter are not taken for growth', [1000, 2000, 3000, 4300], 0.2, 'unclear'],
    ['growth by a factor with as much', [1000, 2000, 4000, 8000], 0.2, 'grows'],
  ] as const)('%s', (_name, medians, part, kind) => {
    expect(growthOf(attempts(medians, part), 0).kind).toBe(kind)
  })

  it('counts from the first wait', () => {
    expect(growthOf(attempts([5, 500, 1000, 2000, 2010, 2020]), 0)).toMatchObject({ kind: 'grows', from: 1, capAt: 3 })
  })

  it('is unclear where the machine may have made a wait of an attempt at once, and that decides', () => {
    expect(growthOf(attempts([120, 240, 480]), 0).kind).toBe('grows')
    expect(growthOf(attempts([120, 240, 480]), 50).kind).toBe('unclear')
    expect(growthOf(attempts([120, 240, 480, 960]), 50).kind).toBe('grows')
  })

  it('is unclear where a busy machine may have made short waits long', () => {
    const late = [600, 800, 1200]
    expect(growthOf(attempts(late), 0).kind).toBe('stays')
    expect(growthOf(attempts(late), 300).kind).toBe('unclear')
  })
})
