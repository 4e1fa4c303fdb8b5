import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { exitCodes } from '../../assembly/exit-code.js'
import { builtFile } from '../../run/package.js'
import type { playTrial, Trial } from './play-trial.js'

/** What came out of a trial, of clauses at the levels `must` and `should`; of checks that failed, `should` ones included. */
type TrialResult = Awaited<ReturnType<typeof playTrial>>

/** What came out of a trial; the report stays in the thread that played it. */
export type TrialOutcome = Omit<TrialResult, 'report' | 'reasons'> & Partial<Pick<TrialResult, 'reasons'>>

const startThread = (program: string) => {
  const worker = new Worker(program)
  const waiting = new Map<number, { resolve(outcome: TrialOutcome): void; reject(error: unknown): void }>()
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

/**
 * Threads that play trials, so that the load of one trial stalls the clock of as few others as can be: one for each processor; a
 * trial goes to the one that has the fewest.
 */
export const openTrialPool = <Played extends Trial>(
  program = builtFile('src', 'cli', 'keystone', 'trial-worker.js'),
) => {
  const threads = Array.from({ length: availableParallelism() }, () => startThread(program))
  let tickets = 0
  return {
    play: (trial: Played) =>
      new Promise<TrialOutcome>((resolve, reject) => {
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

/** In a thread of the pool: plays the trials that it sends, each as it comes, and answers with what came out. */
export const playTrialsOfPool = <Played extends Trial>(play: (trial: Played) => Promise<TrialResult>): void => {
  const outcomeOf = async (trial: Played): Promise<TrialOutcome> => {
    try {
      const { report, ...outcome } = await play(trial)
      return outcome
    } catch (error) {
      // A trial that breaks down is no reason to lose the others: it counts as one that is not exact.
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
      const nothing = { open: [], passing: [], killers: [], diagnosed: [] }
      return { ...nothing, failing: [`broke down: ${cause}`], exitCode: exitCodes.harness }
    }
  }
  parentPort?.on('message', async ({ ticket, trial }: { ticket: number; trial: Played }) => {
    parentPort?.postMessage({ ticket, outcome: await outcomeOf(trial) })
  })
}
