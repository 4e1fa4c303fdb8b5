import { UsageError } from '../kit/usage-error.js'
import { mergedGates } from '../run/options/merge-sections.js'
import { type PreparedRun, prepareRun } from '../run/options/prepare-run.js'
import { type RunFlags, usual } from '../run/options/run-flags.js'
import { settingsAsFlags } from '../run/options/settings-as-flags.js'
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
    // In the command that repeats the run: whoever gave it as a value writes it to a file first.
    ...(contract !== undefined && { contract: typeof contract === 'string' ? contract : 'FILE' }),
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
  const { keys = {}, quotas } = options
  checkKeys(keys, contract, true)
  if (!contract && keys.enterprise !== undefined && !quotas?.enterprise)
    throw new UsageError(
      'an Enterprise key needs its agreed numbers: add quotas: { enterprise: { minute: 300, day: 5000 } }, with yours',
    )
  const prepared = prepareRun(options.scenario ?? usual.scenario, flagsOf(options), {}, contract)
  return withGates({ ...prepared, remarks: [...notes, ...prepared.remarks] }, options)
}
