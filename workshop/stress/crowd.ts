import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { builtFile } from '../../src/run/package.js'

/** Busy processes beside what is played. */
export interface Crowd {
  readonly pids: readonly (number | undefined)[]
  /** Throws where one of them is gone: what is played is then no longer crowded as it should be. */
  requireWhole(): void
  /** Resolves once all of them are gone. */
  disperse(): Promise<void>
}

/** Six on two processors. */
const perProcessor = 3

/** How long one goes on without hearing from here, and how often it does. */
const leaseMs = 60_000
const wordEveryMs = 10_000

const program = builtFile('workshop', 'stress', 'busy-process.js')

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Starts them. They end by themselves when this process does, however it ends, or falls silent. */
export const gatherCrowd = (size = perProcessor * availableParallelism()): Crowd => {
  const busy = Array.from({ length: size }, () => {
    const child = spawn(process.execPath, [program, String(leaseMs)], { stdio: ['pipe', 'ignore', 'ignore'] })
    // One that is gone, or never began, hears nothing: it is missed before the next trial.
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
