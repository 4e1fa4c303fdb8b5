import type { Gates } from './gates.js'

/** The name under which a configuration is found in the working directory. */
export const configName = 'quotaspec.yaml'

/** What a run takes from its configuration file beside flags. */
export interface ConfigUse {
  /** As `--config` takes it. */
  readonly file: string
  readonly environment?: string
  /** The flags that nobody typed, for which it stands in: naming the file, or its environment, says them all. */
  readonly standsFor?: readonly string[]
  /** What was typed to take back what it says: `--no-strict`. */
  readonly takenBack?: readonly string[]
  readonly gates?: Gates
  /** The variables that hold keys, by plan or by credential of the contract. */
  readonly keys: Readonly<Record<string, string>>
  /** What is to be noted in the run: which file, which environment, what was taken from it. */
  readonly remarks: readonly string[]
}
