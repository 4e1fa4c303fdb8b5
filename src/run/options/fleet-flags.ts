import { countOf, parseWanted } from '../../agents/wanted.js'
import { UsageError } from '../../kit/usage-error.js'

/** The flags that have a run's loads sent by agents. */
export interface FleetFlags {
  readonly agents?: string
  readonly redis?: string
  readonly 'agents-within'?: number
}

const usualWithinSeconds = 30
const mostWithinSeconds = 3_600

/** How many agents a run asks for; 0 for none. Throws a {@link UsageError} where the flags say what can't be. */
export const agentsAskedFor = ({ agents, redis, 'agents-within': within }: FleetFlags): number => {
  if (agents === undefined) {
    if (redis !== undefined) throw new UsageError('--redis is where the agents are: add --agents eu=2, with yours')
    if (within !== undefined) throw new UsageError('--agents-within is for --agents: add --agents eu=2, with yours')
    return 0
  }
  if (within !== undefined && !(within >= 1 && within <= mostWithinSeconds))
    throw new UsageError(`--agents-within ${within}: seconds, from 1 to ${mostWithinSeconds}; 60 is a minute`)
  return countOf(parseWanted(agents))
}

/** How long agents are waited for, in seconds. */
export const withinSecondsOf = (flags: FleetFlags): number => flags['agents-within'] ?? usualWithinSeconds
