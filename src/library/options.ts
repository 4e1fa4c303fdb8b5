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

/** What a run is to do. The names are those of `quotaspec.yaml`; what they mean is said in docs/reference/configuration.md. */
export interface PlanOptions {
  /** The base address of the target; for the Petstore it ends with /v1. */
  readonly target: string
  /** The keys, by plan, or by credential of the contract. No variable of the environment is read. */
  readonly keys?: KeysGiven
  /** A scenario by its name or its path. Default: release-gate. */
  readonly scenario?: string
  /** The quotas of another API than the Petstore's. */
  readonly contract?: ContractSource
  /** The agreed quota of the plan Enterprise. */
  readonly quotas?: { readonly enterprise?: { readonly minute: number; readonly day: number } }
  /** The most that figures may be; each goes before the same one of the scenario. */
  readonly gates?: Gates
  /** Whether to fail on clauses of the level `should` too. */
  readonly strict?: boolean
  /** Clauses, areas or checks to judge, and no others. */
  readonly only?: readonly string[]
  /** Clauses, areas or checks to leave out. */
  readonly skip?: readonly string[]
  /** The path of a file of known failures. */
  readonly waivers?: string
  /** Whether load may go to an address that is not this machine. Nobody is asked again. */
  readonly allowLoad?: boolean
  /** Whether to play only what takes no load: the outcome is inconclusive then. */
  readonly withoutLoad?: boolean
  /** Whether to send no PATCH that could succeed. */
  readonly readOnly?: boolean
  /** Whether to go on without a key that the target does not accept: the outcome is inconclusive then. */
  readonly withoutRejectedKeys?: boolean
  /** Whether to test quotas with windows of an hour or longer, too. */
  readonly longWindows?: boolean
  /** Seconds that each may take. Default: 5, 10, 30, and for the run three times its planned time, the time for repeats, and a minute. */
  readonly timeouts?: {
    readonly connect?: number
    readonly head?: number
    readonly body?: number
    readonly run?: number
  }
  /** A PEM file of certificates to trust in addition to the system's, by its path. */
  readonly ca?: string
  /** Whether to check no certificate: the keys go to whoever answers. */
  readonly insecure?: boolean
  /** Divides every window, for tests: at 10 a minute lasts 6 s. Default: 1. */
  readonly timeScale?: number
  /** What random choices are drawn from: the same number draws the same again. */
  readonly seed?: number
}

/** What a run is to do, where it writes, and who follows it. */
export interface RunOptions extends PlanOptions {
  /**
   * The folder for the journal and the reports. It belongs to this run until its end; an earlier run in it is kept
   * beside. Default: nothing is written, so that {@link judge} and `quotaspec restore` have nothing to read afterwards.
   */
  readonly out?: string
  /** Ends the run in order: the inventory is put back, and the report says what was done. */
  readonly signal?: AbortSignal
  /** Is told what happens, as it happens. */
  readonly onEvent?: (event: RunEvent) => void
}
