import { describe, expect, it } from 'vitest'
import { heldClock } from '../../reference-server/testing/held-clock.js'
import { delaying, queueing } from './relay.js'

describe('a passage that delays', () => {
  it('takes half of the time each way, 40 to 160 ms in all, and the same for the same seed', () => {
    const waits = (seed: number) => {
      const passage = delaying(seed, 40, 160)()
      return Array.from({ length: 200 }, () => passage.requestWaitMs() + passage.answerWaitMs())
    }
    expect(Math.min(...waits(1))).toBeGreaterThanOrEqual(40)
    expect(Math.min(...waits(1))).toBeLessThan(70)
    expect(Math.max(...waits(1))).toBeLessThanOrEqual(160)
    expect(Math.max(...waits(1))).toBeGreaterThan(130)
    expect(waits(1)).toEqual(waits(1))
    expect(waits(1)).not.toEqual(waits(2))
  })
})

describe('a passage that queues', () => {
  it('gives a turn every 5 ms to 200 a second, over all connections', () => {
    const open = queueing(200, heldClock())
    expect(Array.from({ length: 4 }, () => open().requestWaitMs())).toEqual([0, 5, 10, 15])
  })

  it('is free again once nobody waits, and saves nothing up', () => {
    const clock = heldClock()
    const open = queueing(200, clock)
    open().requestWaitMs()
    clock.ms = 3
    expect(open().requestWaitMs()).toBe(2)
    clock.ms = 5_000
    expect([open().requestWaitMs(), open().requestWaitMs()]).toEqual([0, 5])
  })

  it('asks one turn of a request in several pieces, and one more after its answer', () => {
    const open = queueing(200, heldClock())
    const passage = open()
    expect([passage.requestWaitMs(), passage.requestWaitMs()]).toEqual([0, 0])
    expect(passage.answerWaitMs()).toBe(0)
    expect(passage.requestWaitMs()).toBe(5)
  })
})
