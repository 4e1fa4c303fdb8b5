import type { ApiContract } from '../contract/api-contract.js'
import type { AgentKey, AgentLoads, AgentSetup } from './agent-setup.js'
import type { RateGuard } from './rate-guard.js'

/** What an agent takes part in a run with. */
export interface MembershipSetup extends AgentSetup {
  readonly run: string
  readonly runContract: ApiContract | undefined
  readonly keys: readonly AgentKey[]
  readonly loads: AgentLoads
  readonly mayLoadNow: boolean
  /** Requests that the agent has promised in all its runs. */
  readonly promised: { count: number }
  readonly guard: RateGuard | undefined
}
