import type { ConfigUse } from './config-use.js'
import type { FleetFlags } from './fleet-flags.js'
import type { SafetyFlags } from './safety.js'

/** What stands in for a flag that neither the command line nor a configuration file says. */
export const usual = { scenario: 'release-gate', out: 'reports/latest', timeScale: 1 } as const

/** What a run may be told, under the names of the flags of `run` and `plan`. */
export interface FlagsOfRun extends SafetyFlags, FleetFlags {
  readonly target?: string
  readonly key?: readonly string[]
  readonly contract?: string
  readonly 'long-windows'?: boolean
  readonly quota?: readonly string[]
  readonly 'time-scale'?: number
  readonly out?: string
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly with?: readonly string[]
  readonly strict?: boolean
  readonly 'read-only'?: boolean
  readonly 'allow-load'?: boolean
  readonly 'without-load'?: boolean
  readonly 'without-rejected-keys'?: boolean
  readonly waivers?: string
  readonly seed?: number
}

/** The flags as they were given. */
export interface GivenFlags extends FlagsOfRun {
  readonly scenario?: string
  /** Of `run` alone. */
  readonly resume?: string
  readonly quiet?: boolean
  readonly open?: boolean
}

type Needed = 'key' | 'quota' | 'time-scale' | 'out' | 'only' | 'skip' | 'strict' | 'read-only' | 'allow-load'

/** The flags of a run, settled: given ones, then those of a configuration file, then the usual ones. */
export type RunFlags = FlagsOfRun &
  Required<Pick<FlagsOfRun, Needed>> & {
    /** False where no configuration file was to be looked for. */
    readonly config?: string | false
    readonly configUse?: ConfigUse
  }
