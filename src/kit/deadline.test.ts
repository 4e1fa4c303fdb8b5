import { afterEach, describe, expect, it, vi } from 'vitest'
import { startDeadline } from './deadline.js'
import { collectGarbage } from './testing/collect-garbage.js'

const over = new Error('over')

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason)
    else signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })

afterEach(() => {
  vi.useRealTimers()
})

describe('a limit of time', () => {
  it('aborts its signal, with the reason given, once its time is over', () => {
    vi.useFakeTimers()
    const { signal } = startDeadline({ ms: 1_000, reason: over })
    vi.advanceTimersByTime(999)
    expect(signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(signal.reason).toBe(over)
  })

  it('holds, whatever garbage is collected until then', async () => {
    const { signal } = startDeadline({ ms: 50, reason: over, follows: [new AbortController().signal] })
    await collectGarbage()
    expect(await aborted(signal)).toBe(over)
  })

  it('is over at once where no time is left, or where a signal that it follows was aborted before', () => {
    const early = new Error('early')
    expect(startDeadline({ ms: 0, reason: over }).signal.reason).toBe(over)
    expect(startDeadline({ ms: 9_999, reason: over, follows: [AbortSignal.abort(early)] }).signal.reason).toBe(early)
  })

  it('follows other signals, with their reason, whatever garbage is collected until then', async () => {
    const parent = new AbortController()
    const { signal } = startDeadline({ ms: 60_000, reason: over, follows: [parent.signal] })
    await collectGarbage()
    parent.abort('called off')
    expect(signal.reason).toBe('called off')
  })

  it('lets any number of limits follow one signal, without a warning', async () => {
    const { signal } = new AbortController()
    const warned = vi.spyOn(process, 'emitWarning')
    const limits = Array.from({ length: 12 }, () => startDeadline({ ms: 9_999, reason: over, follows: [signal] }))
    for (const limit of limits) limit.clear()
    expect(warned).not.toHaveBeenCalled()
  })

  it('keeps the first of several reasons', () => {
    const deadline = startDeadline({ ms: 60_000, reason: over })
    deadline.end('first')
    deadline.end('second')
    expect(deadline.signal.reason).toBe('first')
  })

  it('never comes once it was cleared', () => {
    vi.useFakeTimers()
    const parent = new AbortController()
    const deadline = startDeadline({ ms: 1_000, reason: over, follows: [parent.signal] })
    deadline.clear()
    parent.abort()
    vi.advanceTimersByTime(2_000)
    expect(deadline.signal.aborted).toBe(false)
  })
})
