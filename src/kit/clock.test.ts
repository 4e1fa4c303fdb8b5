import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.js'

const monthMs = 31 * 86_400_000

describe('the system clock', () => {
  it('never steps back', () => {
    const readings = Array.from({ length: 1000 }, () => systemClock.monotonicMs())
    expect(readings).toEqual(readings.toSorted((a, b) => a - b))
  })

  it('sleeps at least as long as it was asked to', async () => {
    const before = systemClock.monotonicMs()
    await systemClock.sleep(3.7)
    expect(systemClock.monotonicMs() - before).toBeGreaterThanOrEqual(3.7)
  })

  it.each([0, -5, Number.NEGATIVE_INFINITY])('does not sleep for %d ms', async (ms) => {
    await expect(systemClock.sleep(ms)).resolves.toBeUndefined()
  })

  it('keeps a wait that is longer than a timer can hold', async () => {
    const abort = new AbortController()
    const slept = systemClock.sleep(monthMs, abort.signal).then(
      () => 'slept',
      () => 'aborted',
    )
    // A timer beyond 2^31 - 1 ms fires after one.
    await systemClock.sleep(10)
    abort.abort()
    expect(await slept).toBe('aborted')
  })

  it('rejects with the reason of the signal, aborted before or meanwhile', async () => {
    const reason = new Error('enough')
    await expect(systemClock.sleep(0, AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(systemClock.sleep(monthMs, AbortSignal.abort(reason))).rejects.toBe(reason)
    const abort = new AbortController()
    const slept = systemClock.sleep(monthMs, abort.signal)
    abort.abort(reason)
    await expect(slept).rejects.toBe(reason)
  })
})
