import type { Outcome } from '../verdict/verdict.js'

/** The exit codes of the process. They never change, since pipelines rely on them. */
export const exitCodes = { pass: 0, fail: 1, inconclusive: 2, usage: 3, harness: 4, interrupted: 130 } as const

/** An interruption, or a fault of the harness, takes precedence over the outcome. */
export const exitCodeOf = (
  outcome: Outcome,
  { interrupted, crashed }: { interrupted: boolean; crashed: boolean },
): number => {
  if (interrupted) return exitCodes.interrupted
  if (crashed) return exitCodes.harness
  return exitCodes[outcome]
}
