import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { builtFile } from '../../run/package.js'
import type { Trial, TrialResult } from './play-trial.js'

/** What came out of a trial; the report stays in the thread that played it. */
export type TrialOutcome = Omit<TrialResult, 'report'>

/** Threads that play trials, so that the load of one trial stalls the clock of as few others as can be. */
export interface TrialPool {
  play(trial: Trial): Promise<TrialOutcome>
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, { resolve(outcome: TrialOutcome): void; reject(error: unknown): void }>
}

const startThread = (): Thread => {
  const worker = new Worker(builtFile('src', 'cli', 'keystone', 'trial-worker.js'))
  const waiting: Thread['waiting'] = new Map()
  worker.on('message', ({ ticket, outcome }: { ticket: number; outcome: TrialOutcome }) => {
    waiting.get(ticket)?.resolve(outcome)
    waiting.delete(ticket)
  })
  worker.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  return { worker, waiting }
}

/** Starts a thread for each processor; a trial goes to the one that has the fewest. */
export const openTrialPool = (): TrialPool => {
  const threads = Array.from({ length: availableParallelism() }, startThread)
  let tickets = 0
  return {
    play: (trial) =>
      new Promise((resolve, reject) => {
        const [idlest] = [...threads].sort((one, other) => one.waiting.size - other.waiting.size)
        tickets += 1
        idlest.waiting.set(tickets, { resolve, reject })
        idlest.worker.postMessage({ ticket: tickets, trial })
      }),
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
