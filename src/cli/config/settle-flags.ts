import { UsageError } from '../../kit/usage-error.js'
import type { ConfigUse } from '../../run/options/config-use.js'
import type { Configuration } from '../../run/options/load-config.js'
import { type GivenFlags, type RunFlags, usual } from '../../run/options/run-flags.js'
import { fieldsTaken, flagsOf, settingsAsFlags, takenBack } from '../../run/options/settings-as-flags.js'
import { leaveForLoad } from './leave-for-load.js'

/** The settings that stand in for flags; those that contradict a flag do not count. */
const standIns = (given: GivenFlags, from: Configuration): GivenFlags => ({
  ...settingsAsFlags(from),
  // A run that goes on writes where it began.
  ...(given.resume !== undefined && { out: undefined }),
  ...(given.insecure && { ca: undefined }),
})

/** The first word, where it says something, else the second. */
const over = <T extends object>(given: T, standIn: Partial<T>): T => {
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...given, ...standIn, ...Object.fromEntries(said) }
}

const requireTarget = ({ file, environments }: Configuration, { target }: GivenFlags): void => {
  if (target !== undefined || environments.length === 0) return
  throw new UsageError(
    `${file} names no target outside of its environments: choose one with --env ${environments.join(' or --env ')}, or give --target URL`,
  )
}

const useOf = (
  from: Configuration,
  given: GivenFlags,
  taken: readonly string[],
  notes: readonly string[],
): ConfigUse => {
  const { file, environment, gates, keys = {} } = from
  const where = environment === undefined ? file : `${file}, environment ${environment}`
  const remarks = [`settings taken from ${where}: ${taken.join(', ') || 'none'}`, ...notes]
  return { file, environment, standsFor: flagsOf(taken), takenBack: takenBack(from, given), gates, keys, remarks }
}

/**
 * The flags of a run: those that were given, then what the configuration says, then the usual ones. Throws a
 * {@link UsageError} where the file has a target only in environments, and none was chosen.
 *
 * @param given the flags of the command line; what was not given is undefined or absent.
 */
export const settleFlags = <T extends GivenFlags>(
  given: T,
  from: Configuration | undefined,
): T & RunFlags & { readonly scenario: string } => {
  const said = over<GivenFlags>(given, from ? standIns(given, from) : {})
  if (from) requireTarget(from, said)
  const leave = leaveForLoad(given, from, said.target)
  const isTaken = (field: string) => field !== 'allowLoad' || leave.allowLoad
  const taken = from ? fieldsTaken(from, given).filter(isTaken) : []
  return {
    ...given,
    ...said,
    scenario: said.scenario ?? usual.scenario,
    key: said.key ?? [],
    quota: said.quota ?? [],
    'time-scale': said['time-scale'] ?? usual.timeScale,
    out: said.out ?? usual.out,
    only: said.only ?? [],
    skip: said.skip ?? [],
    strict: said.strict ?? false,
    'read-only': said['read-only'] ?? false,
    'allow-load': leave.allowLoad,
    'without-load': leave.withoutLoad,
    ...(from && { configUse: useOf(from, given, taken, leave.notes) }),
  }
}
