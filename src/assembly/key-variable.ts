import { planNames } from '../contract/plans.js'
import type { RunHead } from '../evidence/journal.js'

/** The part of a run that says where its keys came from. */
export type KeysOfRun = Pick<RunHead, 'keys' | 'contract'>

/**
 * The environment variable that holds a key of this name: the one that the run took it from. Where that is not on record,
 * or there was none, the one in which a run looks for it. Undefined where no key has the name.
 */
export const keyVariable = ({ keys, contract }: KeysOfRun, name: string): string | undefined => {
  if (contract) return contract.credentials[name]?.env
  const isName = planNames.some((plan) => name === plan || name.startsWith(`${plan}-`))
  const usual = isName ? `QUOTASPEC_KEY_${name.toUpperCase().replace('-', '_')}` : undefined
  return keys.find((key) => key.name === name)?.variable ?? usual
}

/** The variable in which a run looks for a key: a plan's second key is given by a flag, and has none of its own. */
export const readVariable = (run: KeysOfRun, name: string): string | undefined =>
  keyVariable(run, run.contract ? name : name.replace(/-\d+$/, ''))

/** The variables that commands of the report name, and that did not give the run its keys: they are to be set first. */
export const variablesToSet = (run: KeysOfRun): string[] =>
  run.keys.flatMap(({ name, variable }) => (variable === null ? (keyVariable(run, name) ?? []) : []))
