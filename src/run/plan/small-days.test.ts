import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { limitRange } from '../../certificate/measured.js'
import { loadProfiles } from '../../checks/framework/loads.js'
import { modelNames } from '../../contract/limiter-models.js'
import { seededRandom } from '../../kit/random.js'
import { historyOf } from '../../oracle/testing/made-history.js'
import type { KeyFacts, Probe } from '../../probes/probe.js'
import { keyOf, playShortDay, probeNamed } from '../testing/short-day.js'

/** Of the load profiles a short day still shows more than the limit within one window. */
const beyondLimit = ['burst', 'split', 'cold-start', 'last-slot', 'recovery', 'overload']

const windowMs = 60_000

/** Plays a probe on a key with so much of its day left, against a window that the first request opens. */
const playedOn = async (probe: Probe, key: KeyFacts, left: number) => {
  let [openedAt, used, mostInWindow, inWindow] = [Number.NEGATIVE_INFINITY, 0, 0, 0]
  const { events, ends, isShort } = await playShortDay([probe], key, left, (now) => {
    if (now >= openedAt + windowMs) [openedAt, used, inWindow] = [now, 0, 0]
    inWindow += 1
    mostInWindow = Math.max(mostInWindow, inWindow)
    const admitted = used < key.quota.limit
    if (admitted) used += 1
    return { admitted, ...(!admitted && { waitMs: openedAt + windowMs - now }) }
  })
  return { sent: events.length, mostInWindow, end: ends[0], isShort }
}

describe.each(loadProfiles)('on a short day %s', (id) => {
  const probe = probeNamed(id)

  it('never sends more than is left, whatever that is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 120 }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        async (minute, share) => {
          const left = Math.floor(minute * share)
          const { sent } = await playedOn(probe, keyOf(minute, 100 * minute), left)
          expect(sent).toBeLessThanOrEqual(left)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('can be smaller than it is, and never takes more for that', () => {
    const key = keyOf(50, 5_000)
    const settings = probe.settings.parse({})
    const most = probe.cost(key, settings, [key]).keyed
    expect(probe.least?.(key, settings, [key])).toBeLessThan(most)
  })

  it.each([1, 2, 5, 10, 14, 20])('is enough to show something where %s is the limit', async (limit) => {
    const { end } = await playedOn(probe, keyOf(limit, 1_000_000), 1_000_000)
    expect(end).toBe('completed')
  })
})

describe('what a short day still shows', () => {
  it.each(beyondLimit)('is more than the limit within a window: %s', async (id) => {
    const probe = probeNamed(id)
    const key = keyOf(50, 150)
    const least = probe.least?.(key, probe.settings.parse({}), [key]) ?? 0
    const { mostInWindow, isShort } = await playedOn(probe, key, least)
    expect(isShort).toBe(true)
    expect(mostInWindow).toBeGreaterThan(50)
  })

  it('is nothing where even the least does not fit', async () => {
    expect(await playedOn(probeNamed('burst'), keyOf(50, 150), 52)).toMatchObject({ end: 'skipped', sent: 0 })
  })

  it('is refused once more just before its window ends, though the end is named 2 s too late', async () => {
    let [openedAt, used] = [Number.NEGATIVE_INFINITY, 0]
    const { events } = await playShortDay([probeNamed('burst')], keyOf(50, 150), 125, (now) => {
      if (now >= openedAt + windowMs) [openedAt, used] = [now, 0]
      used += 1
      return used <= 50 ? { admitted: true } : { admitted: false, waitMs: openedAt + windowMs - now + 2_000 }
    })
    const [refused, admitted] = (['refused', 'admitted'] as const).map(
      (outcome) => events.findLast((each) => each.outcome === outcome)?.sentMs ?? Number.NaN,
    )
    expect(admitted - refused).toBeGreaterThan(0)
    expect(admitted - refused).toBeLessThan(windowMs / 10)
  })

  // Windows that lie otherwise are met by other seeds.
  it.each(modelNames)('is the limit and no other, with 125 of 50 a minute and 150 a day: %s', async (model) => {
    let settled = 0
    for (let seed = 1; seed <= 10; seed += 1) {
      const random = seededRandom(seed)
      const epochOffsetMs = random.float() * windowMs
      const limiter = limiters[model]({ limit: 50, windowMs, epochOffsetMs, random })
      let admittedAt = 0
      const { events } = await playShortDay([probeNamed('burst'), probeNamed('split')], keyOf(50, 150), 125, (now) => {
        const admitted = limiter.decide(now)
        if (admitted) admittedAt = now
        return admitted ? { admitted } : { admitted, waitMs: Math.max(1_000, admittedAt + windowMs - now) }
      })
      expect(events.length).toBeLessThanOrEqual(125)
      const [least, most] = limitRange(historyOf(events), { limit: 50, windowMs })
      if (least === 50 && most === 50) settled += 1
    }
    // A sliding counter whose window begins while the burst is sent, or soon after it, looks like one of 49.
    expect(settled).toBeGreaterThanOrEqual(model === 'sliding-counter' ? 7 : 10)
  })
})
