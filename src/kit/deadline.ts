import { setMaxListeners } from 'node:events'
import { longestTimerMs } from './clock.js'

/**
 * A time limit that lasts until {@link Deadline.clear}. `AbortSignal.timeout` would not: its timer does not keep the process
 * alive. Nor would `AbortSignal.any`: it holds the signals that it follows only weakly, so they may be garbage-collected.
 */
export interface Deadline {
  /** Aborted when the time is over, when a followed signal aborts, or when `end` is called. */
  readonly signal: AbortSignal
  /** Ends it early. The first reason stays. */
  end(reason: unknown): void
  /** Releases the timer and the followed signals. Must be called in the end, whatever happened. */
  clear(): void
}

interface DeadlineSettings {
  /** The remaining time, in milliseconds; may be longer than a Node timer can wait. */
  readonly ms: number
  /** Why the signal is aborted once the time is over. */
  readonly reason: unknown
  /** Signals that abort it with their own reason. */
  readonly follows?: readonly AbortSignal[]
}

export const startDeadline = ({ ms, reason, follows = [] }: DeadlineSettings): Deadline => {
  const controller = new AbortController()
  // There are as many listeners as active requests, loads and runs; Node warns at the eleventh.
  setMaxListeners(0, controller.signal, ...follows)
  const until = performance.now() + ms
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    clearTimeout(timer)
    for (const [signal, listener] of listeners) signal.removeEventListener('abort', listener)
  }
  const end = (why: unknown) => {
    clear()
    controller.abort(why)
  }
  const listeners = follows.map((signal) => [signal, () => end(signal.reason)] as const)
  const wait = () => {
    const left = until - performance.now()
    if (left <= 0) end(reason)
    else timer = setTimeout(wait, Math.min(Math.ceil(left), longestTimerMs))
  }
  for (const [signal, listener] of listeners) signal.addEventListener('abort', listener, { once: true })
  const aborted = follows.find((signal) => signal.aborted)
  if (aborted) end(aborted.reason)
  else wait()
  return { signal: controller.signal, end, clear }
}

/** A promise that resolves when somebody opens it. */
export const latch = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Resolves when a signal aborts, at once if it already has; no longer after `until` has aborted. */
export const aborted = (signal: AbortSignal, until?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: until })
  })
