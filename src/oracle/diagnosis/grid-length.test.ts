import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { seededRandom } from '../../kit/random.js'
import { explain } from '../models/explain.js'
import { type HistoryEvent, historyOf } from '../testing/made-history.js'
import { simulate } from '../testing/simulation.js'
import { trafficOf } from '../testing/traffic.js'
import { gridLength } from './window-length.js'

const [limit, saidMs] = [60, 6_000]
const window = { limit, windowMs: saidMs }

/** A run against windows on a grid of some length, played as if they were `saidMs` long. */
const played = (share: number, seed: number) => {
  const random = seededRandom(seed)
  const settings = { limit, windowMs: share * saidMs, epochOffsetMs: 1_790_000_000_000, random }
  const limiter = limiters['interval-refill'](settings)
  const lanes = trafficOf(['burstAndProbe', 'split', 'coldStart', 'boundary', 'overload'], limit, saidMs, 1_000)
  const [events] = simulate([{ lanes, limiter }], { roundTripMs: () => 0.5 + random.float(), lossRate: 0, random })
  return historyOf(events, { clockErrorMs: 1.6 })
}

describe('the length of windows on a grid', () => {
  it('is none where more came at once than two windows hold', () => {
    const events = Array.from({ length: 181 }, (_, i) => ({
      sentMs: 1_000 + i / 10,
      receivedMs: 1_001 + i / 10,
      outcome: i < 180 ? 'admitted' : 'refused',
    })) satisfies HistoryEvent[]
    expect(gridLength(historyOf(events), window, { from: saidMs / 12, to: saidMs })).toBeNull()
  })

  it('is found whatever it is, and explains the history', () => {
    const shares = fc.double({ min: 0.1, max: 0.95, noNaN: true })
    fc.assert(
      fc.property(shares, fc.integer(), (share, seed) => {
        const history = played(share, seed)
        const length = gridLength(history, window, { from: saidMs / 12, to: saidMs })
        expect(length).toBeGreaterThan(0)
        expect(explain('interval-refill', history, { limit, windowMs: Number(length) }).verdict).toBe('explained')
      }),
      { numRuns: 30 },
    )
  })
})
