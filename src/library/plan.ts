import { checkOptions } from './checked-options.js'
import { sayingOptions } from './option-names.js'
import type { PlanOptions } from './options.js'
import { prepare } from './prepare.js'

/** What a run would send, and how long it takes. */
export interface Plan {
  readonly scenario: string
  readonly target: string
  /** The most requests of each probe on each key. */
  readonly requests: readonly {
    readonly key: string
    readonly probe: string
    readonly requests: number
    /** Whether they are sent only where what was seen could not have shown every breach. */
    readonly ifUntold?: boolean
  }[]
  /** How many of its windows pass on each key meanwhile. */
  readonly windows: readonly { readonly key: string; readonly minutes: number }[]
  readonly durationMs: number
  /** How much longer it takes at most, where probes are played once more. */
  readonly againMs: number
}

/**
 * Works out what {@link run} would send with the same options. Sends nothing.
 *
 * @throws UsageError where an option, or a file that one names, can't be used.
 */
export const plan = (options: PlanOptions): Promise<Plan> =>
  sayingOptions(async () => {
    checkOptions('plan', options)
    const { head, plan: planned } = await prepare(options)
    return { scenario: head.scenario, target: head.baseUrl, ...planned }
  })
