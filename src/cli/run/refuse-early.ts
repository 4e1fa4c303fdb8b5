import { existsSync } from 'node:fs'
import { configName } from '../../run/options/config-use.js'
import { checkLoadFlags } from '../../run/options/load-flags.js'
import { checkScaleAndSeed } from '../../run/options/scale-and-seed.js'
import { parseTarget } from '../../run/options/target.js'
import type { TypedFlag } from '../typed/typed-flags.js'

/**
 * Throws a {@link UsageError} for what can be seen in the flags of `run` and `plan` alone, before the program that plays and
 * judges is loaded. All of it is looked at again by whoever prepares the run.
 */
export const refuseEarly = (typed: readonly TypedFlag[]): void => {
  const has = (name: string) => typed.some((flag) => flag.name === name)
  const given = (name: string) => typed.find((flag) => flag.name === name)?.value
  checkScaleAndSeed({
    'time-scale': Number(given('time-scale') ?? 1),
    ...(has('seed') ? { seed: Number(given('seed')) } : {}),
  })
  checkLoadFlags({ 'allow-load': has('allow-load'), 'without-load': has('without-load') })
  // A configuration may name the target, and much else.
  const isConfigured = has('env') || (has('config') ? given('config') !== undefined : existsSync(configName))
  if (has('target') || !isConfigured) parseTarget(given('target'))
}
