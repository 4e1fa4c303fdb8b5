import type { Arrival } from '../../evidence/arrivals.js'
import { readRetryAfter } from '../../readings/limit-values.js'

/** A day; a wait that is longer is no longer judged by the second (CLIENT-1). */
const longestJudgedSeconds = 86_400

const imfFixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /

/**
 * What a refusal asks for. `untilMs` is the moment, on the audit's clock, from which on the client may come: seconds
 * count from the answer (RFC 9110 §10.2.3). `obsolete-date` is one in the forms of RFC 850 or asctime, which no server may
 * send. `unusable` is malformed, or a date that is over.
 */
export type NamedWait =
  | {
      readonly kind: 'seconds' | 'date' | 'obsolete-date' | 'huge' | 'reset'
      readonly untilMs: number
      readonly text: string
    }
  | { readonly kind: 'zero' | 'unusable' | 'none'; readonly text: string }

/** Reads what a refusal names. `wallStartMs` is the wall clock at the audit's zero. */
export const namedWait = (refusal: Arrival, wallStartMs: number): NamedWait => {
  const from = refusal.answeredAt ?? refusal.at
  const text = refusal.retryAfter ?? ''
  const read = readRetryAfter(refusal.retryAfter === null ? [] : [['Retry-After', refusal.retryAfter]])
  if (read.form === 'seconds') {
    if (read.seconds === 0) return { kind: 'zero', text }
    const untilMs = from + read.seconds * 1000
    return { kind: read.seconds > longestJudgedSeconds ? 'huge' : 'seconds', untilMs, text }
  }
  if (read.form === 'date') {
    const untilMs = read.epochMs - wallStartMs
    if (untilMs <= from) return { kind: 'unusable', text }
    return { kind: imfFixdate.test(text.trim()) ? 'date' : 'obsolete-date', untilMs, text }
  }
  if (read.form === 'malformed') return { kind: 'unusable', text }
  const reset = refusal.reset !== null && /^\d{1,12}$/.test(refusal.reset) ? Number(refusal.reset) : undefined
  const untilMs = reset === undefined ? from : reset * 1000 - wallStartMs
  return untilMs > from ? { kind: 'reset', untilMs, text: '' } : { kind: 'none', text: '' }
}

/** Where the client is on its own: no `Retry-After`, or one that can't be used, or is past a timer's range. */
export const leavesClientAlone = ({ kind }: NamedWait): boolean =>
  kind === 'none' || kind === 'unusable' || kind === 'huge' || kind === 'reset'

/** The header as it stood in the answer, for a reader. */
export const inWords = (named: NamedWait): string =>
  named.kind === 'reset' ? 'X-RateLimit-Reset' : named.kind === 'none' ? 'no wait' : `Retry-After: ${named.text}`
