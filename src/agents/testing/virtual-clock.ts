import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../kit/clock.js'

interface Sleeper {
  readonly atMs: number
  readonly wake: () => void
}

/** A clock that moves only when told to, and wakes sleepers in order. */
export interface VirtualClock extends Clock {
  /** Lets time pass, and lets everybody who wakes up act. */
  pass(ms: number): Promise<void>
  /** Lets time pass until the promise settles; throws after `mostMs`. */
  passUntil<T>(settled: Promise<T>, mostMs?: number): Promise<T>
  /** Lets time pass without anybody acting: the process stalls. */
  skip(ms: number): void
  /** Calls at this time. */
  at(ms: number, call: () => void): void
}

/** Turns of the event loop for whoever woke up to act. */
const turns = 3

export const virtualClock = (): VirtualClock => {
  let now = 1_000
  let sleepers: Sleeper[] = []
  const settle = async () => {
    for (let i = 0; i < turns; i += 1) await turn()
  }
  const pass = async (ms: number) => {
    const until = now + ms
    await settle()
    for (;;) {
      const next = sleepers.reduce<Sleeper | undefined>(
        (best, each) => (!best || each.atMs < best.atMs ? each : best),
        undefined,
      )
      if (!next || next.atMs > until) break
      now = Math.max(now, next.atMs)
      sleepers = sleepers.filter((each) => each !== next)
      next.wake()
      await settle()
    }
    now = until
  }
  return {
    monotonicMs: () => now,
    wallMs: () => 1_800_000_000_000 + now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason)
          return
        }
        const wake = () => {
          signal?.removeEventListener('abort', give)
          resolve()
        }
        const sleeper = { atMs: now + ms, wake }
        const give = () => {
          sleepers = sleepers.filter((each) => each !== sleeper)
          reject(signal?.reason)
        }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', give, { once: true })
      }),
    pass,
    async passUntil(settled, mostMs = 120_000) {
      let isSettled = false
      const done = () => {
        isSettled = true
      }
      settled.then(done, done)
      const until = now + mostMs
      while (!isSettled) {
        if (now >= until) throw new Error(`nothing was settled within ${mostMs} ms`)
        await pass(10)
      }
      return settled
    },
    skip(ms) {
      now += ms
    },
    at(ms, call) {
      sleepers.push({ atMs: ms, wake: call })
    },
  }
}

/** The clock of another machine, ahead by an amount that may change with time. */
export const shiftedClock = (clock: Clock, aheadMs: (nowMs: number) => number): Clock => ({
  ...clock,
  monotonicMs: () => clock.monotonicMs() + aheadMs(clock.monotonicMs()),
})
