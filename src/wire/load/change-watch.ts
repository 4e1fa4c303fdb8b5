import type { LedgerRow } from '../../evidence/ledger.js'

/**
 * Tells a ban's answers from the limiter's: they have another status than 200 and 429, or name a later moment than
 * the refusals before them. A limiter that refuses until 60 s says so in every refusal; a ban moves the moment on.
 *
 * @param putOffMs a refusal puts its moment off if it names one that is later than before by more than this.
 */
export const changeWatch = (putOffMs: number): ((row: LedgerRow) => boolean) => {
  let promisedMs = Number.NaN
  return ({ status, receivedUs, retryAfter }) => {
    if (status === 200) promisedMs = Number.NaN
    if (status !== 429) return status !== 200
    const namedMs = receivedUs / 1000 + retryAfter * 1000
    if (namedMs > promisedMs + putOffMs) return true
    promisedMs = Number.isNaN(promisedMs) ? namedMs : Math.min(promisedMs, namedMs)
    return false
  }
}
