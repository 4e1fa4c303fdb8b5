import type { ApiContract } from '../../../contract/any/api-contract.js'
import type { HeaderLine } from '../../../evidence/exchange.js'
import { type RetryAfter, readRetryAfter } from '../header-values.js'
import type { ResetReading } from './plain-values.js'

/**
 * The wait that `Retry-After` names, in any form that RFC 9110 has; whether the contract allows that form is for those
 * to judge who read it. Absent for a contract without Retry-After: what stands for it then is {@link waitUntilReset}.
 */
export const readWait = (headers: readonly HeaderLine[], contract: Pick<ApiContract, 'retryAfter'>): RetryAfter =>
  contract.retryAfter === null ? { form: 'absent' } : readRetryAfter(headers)

/**
 * For how long to wait after an answer until the reset that it shows, in seconds; undefined where it shows none.
 *
 * @param receivedEpochS when the answer was received, in seconds since the epoch on the target's clock.
 */
export const waitUntilReset = (reset: ResetReading, receivedEpochS: number): number | undefined => {
  if (reset.state !== 'number') return undefined
  return Math.max(0, reset.from === 'now' ? reset.value : reset.value - receivedEpochS)
}
