import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { builtFile } from '../../src/run/package.js'

/** Busy processes that run during trials. */
export interface Crowd {
  readonly pids: readonly (number | undefined)[]
  /** Throws if one of them is gone, because trials are then no longer crowded as they should be. */
  requireWhole(): void
  /** Resolves once all of them are gone. */
  disperse(): Promise<void>
}

/** Six on two processors. */
const perProcessor = 3

/** How long one goes on without hearing from this process, and how often it hears. */
const leaseMs = 60_000
const wordEveryMs = 10_000

const program = builtFile('workshop', 'stress', 'busy-process.js')

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Starts them. They end by themselves when this process ends, in whatever way, or falls silent. */
export const gatherCrowd = (size = perProcessor * availableParallelism()): Crowd => {
  const busy = Array.from({ length: size }, () => {
    const child = spawn(process.execPath, [program, String(leaseMs)], { stdio: ['pipe', 'ignore', 'ignore'] })
    // One that is gone or never started hears nothing; `requireWhole` notices before the next trial.
    child.stdin.on('error', () => {})
    child.on('error', () => {})
    return child
  })
  const words = setInterval(() => {
    for (const { stdin } of busy) if (stdin.writable) stdin.write('.')
  }, wordEveryMs)
  return {
    pids: busy.map(({ pid }) => pid),
    requireWhole() {
      const gone = busy.filter((child) => child.pid === undefined || isOver(child)).length
      if (gone > 0) throw new Error(`${gone} of ${size} busy processes ended before their time`)
    },
    disperse: async () => {
      clearInterval(words)
      await Promise.all(
        busy.map(async (child) => {
          if (isOver(child) || child.pid === undefined) return
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
        }),
      )
    },
  }
}
