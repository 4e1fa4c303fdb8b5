import { type History, outcomes, type QuotaWindow } from '../../readings/history.js'
import { withCosts } from '../costs.js'

/** Requests of a run that may count in several quotas, in order of sending; times as in a {@link History}. */
export interface SharedRequests {
  readonly size: number
  readonly sentMs: Float64Array
  /** Infinity where it may have been decided at any time after. */
  readonly receivedMs: Float64Array
  /** Codes of {@link outcomes}: refused, whichever quota refused it; excused, where it was none (a ban). */
  readonly outcome: Uint8Array
  /** The wait that a refusal names, counted from its receipt; NaN where it names none. */
  readonly waitMs: Float64Array
  /** Whether a refusal itself shows that the quota at a place has what the request costs, or not; undefined: neither. */
  readonly shows?: (request: number, place: number) => 'left' | 'spent' | undefined
}

/** One of several quotas, and what of it each request spends. */
export interface SharedQuota {
  readonly window: QuotaWindow
  /** The key, address or other part in which each request is counted; -1 where it does not count in this quota. */
  readonly part: Int32Array
  /** What each request costs; 1 where it is absent. */
  readonly cost?: Uint16Array
  /** How far a decision may lie outside its interval, by the clocks' drift. */
  readonly clockErrorMs: number
  /** Nothing is known of the quota's use before this instant; minus infinity where it was not used. */
  readonly priorUntilMs: number
  /** The target's wall clock less the run's, as in a {@link History}. */
  readonly targetEpochOffsetMs: History['targetEpochOffsetMs']
  /** Whether a request that another quota refuses may count in this one, as where one is checked after the other. */
  readonly countsRefused: boolean
}

/** What a request becomes in the history of a quota that is not held to have refused it. */
export const refusedElsewhere = ({ countsRefused }: SharedQuota): number =>
  countsRefused ? outcomes.unknown : outcomes.excused

/** The history of one part of a quota, in units, and the request of each of its rows. */
export const historyOfPart = (
  requests: SharedRequests,
  quota: SharedQuota,
  outcome: Uint8Array,
  part: number,
): { readonly history: History; readonly requests: Uint32Array } => {
  const { window, clockErrorMs, priorUntilMs, targetEpochOffsetMs, cost } = quota
  const own = Uint32Array.from(Array.from({ length: requests.size }, (_, i) => i).filter((i) => quota.part[i] === part))
  const history: History = {
    size: own.length,
    sentMs: Float64Array.from(own, (i) => requests.sentMs[i] - clockErrorMs),
    receivedMs: Float64Array.from(own, (i) => requests.receivedMs[i] + clockErrorMs),
    outcome: Uint8Array.from(own, (i) => outcome[i]),
    priorUntilMs,
    targetEpochOffsetMs,
  }
  if (!cost) return { history, requests: own }
  const inUnits = withCosts(history, (row) => cost[own[row]], window.burst ?? window.limit)
  return { history: inUnits.history, requests: inUnits.rows.map((row) => own[row]) }
}
