import type { Configuration } from '../../run/options/load-config.js'
import type { GivenFlags } from '../../run/options/run-flags.js'
import { isLoopback } from '../../run/options/target.js'

/** Whether load may go to the target, and what is to be said of it. */
export interface LeaveForLoad {
  readonly allowLoad: boolean
  readonly withoutLoad: boolean | undefined
  readonly notes: readonly string[]
}

const sameAddress = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one.replace(/\/+$/, '') === other?.replace(/\/+$/, '')

/** An address that can't be read is told where it is read. */
const staysHere = (target: string | undefined): boolean =>
  target !== undefined && URL.canParse(target) && isLoopback(target)

/**
 * Leave that a file gives is for the target beside it, and for no other that a flag names: a file that was written for
 * staging lets no load go to production. What flags say of load goes before what the file says.
 */
export const leaveForLoad = (
  given: GivenFlags,
  from: Configuration | undefined,
  target: string | undefined,
): LeaveForLoad => {
  const { 'allow-load': allows, 'without-load': without } = given
  const isItsOwn = sameAddress(target, from?.target)
  const isGivenByFile = from?.allowLoad === true && allows === undefined && !without
  // Load goes to this machine freely.
  const lacks = isGivenByFile && !isItsOwn && !staysHere(target)
  return {
    allowLoad: allows ?? (isGivenByFile && isItsOwn),
    withoutLoad: without ?? (allows ? undefined : from?.withoutLoad),
    notes: lacks
      ? [
          `${from.placeOf('allowLoad') ?? from.file}: allowLoad is not for ${target ?? 'this target'}, which the file does not name beside it: --allow-load lets load go there`,
        ]
      : [],
  }
}
