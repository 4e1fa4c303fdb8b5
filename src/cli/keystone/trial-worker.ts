import { parentPort } from 'node:worker_threads'
import { exitCodes } from '../../assembly/exit-code.js'
import { playTrial, type Trial } from './play-trial.js'
import type { TrialOutcome } from './trial-pool.js'

/** Plays the trials that the pool sends, each as it comes, and answers with what came out. */
const outcomeOf = async (trial: Trial): Promise<TrialOutcome> => {
  try {
    const { report, ...outcome } = await playTrial(trial)
    return outcome
  } catch (error) {
    // A trial that breaks down is no reason to lose the others: it counts as one that is not exact.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const nothing = { open: [], passing: [], killers: [], diagnosed: [] }
    return { ...nothing, failing: [`broke down: ${cause}`], exitCode: exitCodes.harness }
  }
}

parentPort?.on('message', async ({ ticket, trial }: { ticket: number; trial: Trial }) => {
  parentPort?.postMessage({ ticket, outcome: await outcomeOf(trial) })
})
