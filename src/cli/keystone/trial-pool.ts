import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads'
import { exitCodes } from '../../assembly/exit-code.js'
import { builtFile } from '../../run/package.js'
import type { playTrial, Trial } from './play-trial.js'

/** What came out of a trial, of clauses at the levels `must` and `should`; of checks that failed, `should` ones included. */
type TrialResult = Awaited<ReturnType<typeof playTrial>>

/** What came out of a trial; the report stays in the thread that played it. */
export type TrialOutcome = Omit<TrialResult, 'report' | 'reasons'> & Partial<Pick<TrialResult, 'reasons'>>

/**
 * Threads that play trials, so that the load of one trial stalls the clock of as few others as can be: one for each processor; a
 * trial goes to the one that has the fewest. A thread that ends on its own ends the process.
 */
export const openTrialPool = <Played extends Trial>(
  program = builtFile('src', 'cli', 'keystone', 'trial-worker.js'),
) => {
  const threads = Array.from({ length: availableParallelism() }, () => ({ worker: new Worker(program), playing: 0 }))
  return {
    async play(trial: Played): Promise<TrialOutcome> {
      const [idlest] = threads.toSorted((one, other) => one.playing - other.playing)
      const { port1: answer, port2: port } = new MessageChannel()
      idlest.playing += 1
      idlest.worker.postMessage({ trial, port }, [port])
      const [outcome] = await once(answer, 'message')
      idlest.playing -= 1
      return outcome
    },
    async close(): Promise<void> {
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
  parentPort?.on('message', async ({ trial, port }: { trial: Played; port: MessagePort }) => {
    port.postMessage(await outcomeOf(trial))
    port.close()
  })
}
