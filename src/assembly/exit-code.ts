import type { Outcome } from '../verdict/verdict.js'

/** The exit codes of the process. They never change, for pipelines rely on them. */
export const exitCodes = { pass: 0, fail: 1, inconclusive: 2, usage: 3, harness: 4, interrupted: 130 } as const

/** A run that was interrupted or that met a fault of the harness says so before anything else. */
export const exitCodeOf = (
  outcome: Outcome,
  { interrupted, crashed }: { interrupted: boolean; crashed: boolean },
): number => {
  if (interrupted) return exitCodes.interrupted
  if (crashed) return exitCodes.harness
  return exitCodes[outcome]
}
