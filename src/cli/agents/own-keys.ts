import type { AgentKey } from '../../agents/agent-setup.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { givenCredentials, givenKeys, keyMark } from '../../run/options/keys.js'
import type { GivenSecret } from '../../run/options/run-options.js'

/** An agent sends what it is told to; what was agreed for its Enterprise key is the run's business. */
const anyQuota = { minute: 1, day: 1 }

/** The keys of this machine's environment, or of a key file, for a run with this contract. */
export const ownKeys = (
  contract: ApiContract | undefined,
  fromFile: readonly GivenSecret[],
  environment: Readonly<Record<string, string | undefined>>,
): AgentKey[] => {
  const keys = contract ? givenCredentials(contract, fromFile, environment) : givenKeys(fromFile, environment, anyQuota)
  return keys.map(({ name, secret }) => ({ name, secret, mark: keyMark(secret) }))
}
