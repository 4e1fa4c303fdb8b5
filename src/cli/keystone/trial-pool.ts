import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads'
import { exitCodes } from '../../assembly/exit-code.js'
import { builtFile } from '../../run/package.js'
import type { playTrial, Trial } from './play-trial.js'

/** The result of a trial: clauses at the levels `must` and `should`, and failed checks, `should` ones included. */
type TrialResult = Awaited<ReturnType<typeof playTrial>>

/** The result of a trial without its report, which stays in the thread that played it. */
export type TrialOutcome = Omit<TrialResult, 'report' | 'reasons'> & Partial<Pick<TrialResult, 'reasons'>>

/**
 * One thread per processor to play trials, so that a trial's load stalls as few others as possible; a trial goes to the
 * thread with the fewest. A thread that ends by itself ends the process.
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

/** In a thread of the pool: plays each trial as it comes, and answers with its result. */
export const playTrialsOfPool = <Played extends Trial>(play: (trial: Played) => Promise<TrialResult>): void => {
  const outcomeOf = async (trial: Played): Promise<TrialOutcome> => {
    try {
      const { report, ...outcome } = await play(trial)
      return outcome
    } catch (error) {
      // A trial that crashes must not lose the others: it counts as not exact.
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
