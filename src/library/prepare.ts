import { settingsAsFlags } from '../cli/config/settings-as-flags.js'
import { type PreparedRun, prepareRun } from '../cli/run/prepare-run.js'
import { type RunFlags, usual } from '../cli/run/run-options.js'
import { mergedGates } from '../scenario/config-file/merge-sections.js'
import { givenContract } from './given-contract.js'
import { checkKeys, keysAsFlags } from './given-keys.js'
import type { PlanOptions } from './options.js'

const flagsOf = ({ keys = {}, contract, only = [], skip = [], ...options }: PlanOptions): RunFlags => {
  const settings = settingsAsFlags({ ...options, only: [...only], skip: [...skip] })
  return {
    ...settings,
    key: keysAsFlags(keys),
    quota: settings.quota ?? [],
    'time-scale': settings['time-scale'] ?? usual.timeScale,
    out: usual.out,
    only: [...only],
    skip: [...skip],
    strict: settings.strict ?? false,
    'read-only': settings['read-only'] ?? false,
    'allow-load': options.allowLoad ?? false,
    'without-load': options.withoutLoad ?? false,
    insecure: options.insecure,
    seed: options.seed,
    // A contract that stands in no file can't be named in the command that repeats the run.
    ...(typeof contract === 'string' && { contract }),
  }
}

const withGates = (prepared: PreparedRun, { gates }: PlanOptions): PreparedRun => {
  const { head, scenario } = prepared
  if (!gates) return prepared
  const merged = mergedGates(scenario.gates, gates)
  return {
    ...prepared,
    scenario: { ...scenario, gates: merged },
    head: { ...head, gates: merged ?? {}, strict: head.strict || gates.level === 'should' },
  }
}

/** Checks everything that a caller gave, and works out the plan. Sends nothing. Throws a `UsageError`. */
export const prepare = async (options: PlanOptions): Promise<PreparedRun> => {
  const { contract, notes } = await givenContract(options.contract)
  checkKeys(options.keys ?? {}, contract, true)
  const prepared = prepareRun(options.scenario ?? usual.scenario, flagsOf(options), {}, contract)
  return withGates({ ...prepared, remarks: [...notes, ...prepared.remarks] }, options)
}
