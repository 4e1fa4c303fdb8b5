import type { ContractFileInput } from '../contract/file/contract-file-schema.js'
import type { Gates } from '../run/options/gates.js'
import type { RunEvent } from '../run/playing/progress.js'

export type { RunEvent }

/** One secret, or several of the same plan. */
export type Secrets = string | readonly string[]

/** Secrets by plan, or by credential of the contract. */
export type KeysGiven = Readonly<Record<string, Secrets>>

/** A contract file by its path, one of the examples by its name, or its content. */
export type ContractSource = string | ContractFileInput

/** What a run does. The names are those of `quotaspec.yaml`; docs/reference/configuration.md explains them. */
export interface PlanOptions {
  /** The base address of the target; for the Petstore it ends with /v1. */
  readonly target: string
  /** The keys, by plan, or by credential of the contract. The library reads no environment variables. */
  readonly keys?: KeysGiven
  /** The scenario: its name or its path. Default: release-gate. */
  readonly scenario?: string
  /** The quotas of your own API, instead of the Petstore's. */
  readonly contract?: ContractSource
  /** The agreed quota of the plan Enterprise. */
  readonly quotas?: { readonly enterprise?: { readonly minute: number; readonly day: number } }
  /** Upper bounds for figures; each replaces the same gate of the scenario. */
  readonly gates?: Gates
  /** Whether to fail on clauses of the level `should` too. */
  readonly strict?: boolean
  /** Clauses, areas or checks to judge, and no others. */
  readonly only?: readonly string[]
  /** Clauses, areas or checks to leave out. */
  readonly skip?: readonly string[]
  /** The path of a file of known failures. */
  readonly waivers?: string
  /** Whether load may go to an address that is not this machine. The library asks nobody. */
  readonly allowLoad?: boolean
  /** Whether to play only probes without load: the outcome is then inconclusive. */
  readonly withoutLoad?: boolean
  /** Whether to send no PATCH that could succeed. */
  readonly readOnly?: boolean
  /** Whether to continue without a key that the target rejects: the outcome is then inconclusive. */
  readonly withoutRejectedKeys?: boolean
  /** Whether to test quotas with windows of an hour or longer, too. */
  readonly longWindows?: boolean
  /** The most seconds for each step. Default: 5, 10, 30, and for the run three times its planned time, the time for repeats, and a minute. */
  readonly timeouts?: {
    readonly connect?: number
    readonly head?: number
    readonly body?: number
    readonly run?: number
  }
  /** The path of a PEM file of certificates to trust in addition to the system's. */
  readonly ca?: string
  /** Whether to skip the check of certificates: the keys then go to whoever answers. */
  readonly insecure?: boolean
  /** Divides every window, for tests: at 10 a minute lasts 6 s. Default: 1. */
  readonly timeScale?: number
  /** The seed of random choices: the same seed repeats them. */
  readonly seed?: number
}

/** What a run does, where it writes, and who gets its events. */
export interface RunOptions extends PlanOptions {
  /**
   * The folder for the journal and the reports. The run locks it; an earlier run in it moves to `earlier/`. Default:
   * the run writes nothing, so {@link judge} and `quotaspec restore` have nothing to read afterwards.
   */
  readonly out?: string
  /** Ends the run early: the run restores the inventory, and the report covers what it did. */
  readonly signal?: AbortSignal
  /** Gets each event when it happens. */
  readonly onEvent?: (event: RunEvent) => void
}
