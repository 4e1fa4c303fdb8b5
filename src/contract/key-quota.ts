import type { Quota } from './plans.js'

/** What a quota allows one key: in its own window, and in the longer one beside it. */
export interface KeyQuota {
  /** Requests in the window that is judged. */
  readonly limit: number
  /** Requests in the longer window beside it; `noLongerLimit` where there is none. */
  readonly longer: number
}

/** Petstore's numbers of a plan as the limits of its key. Runs are saved with these names, whatever their contract. */
export const keyQuotaOf = ({ minute, day }: Quota): KeyQuota => ({ limit: minute, longer: day })

/** The limits of a key under the names with which a run is saved and shown. */
export const savedQuotaOf = ({ limit, longer }: KeyQuota): Quota => ({ minute: limit, day: longer })

/** A limit that no run reaches, for where a quota has no longer window beside its own. */
export const noLongerLimit = Number.MAX_SAFE_INTEGER
