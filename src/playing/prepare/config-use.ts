import type { Gates } from '../../scenario/gates.js'

/** What a run takes from its configuration file beside flags. */
export interface ConfigUse {
  /** As `--config` takes it. */
  readonly file: string
  readonly environment?: string
  readonly gates?: Gates
  /** The variables that hold keys, by plan or by credential of the contract. */
  readonly keys: Readonly<Record<string, string>>
  /** What is to be noted in the run: which file, which environment, what was taken from it. */
  readonly remarks: readonly string[]
}
