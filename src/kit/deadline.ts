import { setMaxListeners } from 'node:events'
import { longestTimerMs } from './clock.js'

/**
 * A limit of time that lasts until {@link Deadline.clear}. `AbortSignal.timeout` would not: its timer does not keep the
 * process going. Nor would `AbortSignal.any`: it holds the signals that it follows only weakly, and they may be
 * collected as garbage.
 */
export interface Deadline {
  /** Aborted when the time is over, when a signal that it follows is, or when it is ended. */
  readonly signal: AbortSignal
  /** Ends it before its time. The first reason stays. */
  end(reason: unknown): void
  /** Lets go of the timer and of the signals that it follows. To be called in the end, whatever came of it. */
  clear(): void
}

interface DeadlineSettings {
  /** The time that is left, in milliseconds; it may be longer than a Node timer can wait. */
  readonly ms: number
  /** Why the signal is aborted once the time is over. */
  readonly reason: unknown
  /** Signals that abort it with their own reason. */
  readonly follows?: readonly AbortSignal[]
}

/** Begins a limit of time that counts from now. */
export const startDeadline = ({ ms, reason, follows = [] }: DeadlineSettings): Deadline => {
  const controller = new AbortController()
  // As many listen as there are requests, loads and runs under way; Node warns of the eleventh.
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

/** A promise that is kept when somebody opens it. */
export const latch = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Resolves when a signal aborts, at once where it has; never again after `until` has aborted. */
export const aborted = (signal: AbortSignal, until?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: until })
  })
