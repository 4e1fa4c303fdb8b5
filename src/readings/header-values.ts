import { type HeaderLine, headerValues } from '../evidence/exchange.js'
import { decimalIn } from '../kit/decimal.js'
import { parseHttpDate } from '../kit/http-date.js'

/** A header that should be one number. */
export type NumberHeader =
  | { readonly state: 'absent' }
  | { readonly state: 'malformed'; readonly text: string }
  | {
      readonly state: 'number'
      readonly value: number
      readonly text: string
      /** Written with decimal digits only, and sent once. */
      readonly plain: boolean
    }

export interface RateHeaders {
  readonly limit: NumberHeader
  readonly remaining: NumberHeader
  readonly reset: NumberHeader
}

/** As much of a malformed value as a sentence of the report has room for, in characters. */
const mostShown = 80
const shown = (values: readonly string[]): string => values.join(', ').slice(0, mostShown)

/** A field that is not what it should be; as it came, as far as there is room to show it. */
export const malformed = (values: readonly string[]): NumberHeader & { readonly state: 'malformed' } => ({
  state: 'malformed',
  text: shown(values),
})

const readNumber = (headers: readonly HeaderLine[], name: string): NumberHeader => {
  const values = headerValues(headers, name).map((value) => value.trim())
  if (values.length === 0) return { state: 'absent' }
  const [text] = values
  const agree = values.every((value) => value === text)
  const value = agree ? decimalIn(text) : undefined
  if (value === undefined) return malformed(values)
  return { state: 'number', value, text, plain: values.length === 1 && /^\d+$/.test(text) }
}

/** The three rate-limit headers of an answer (§8.1). */
export const rateHeaders = (headers: readonly HeaderLine[]): RateHeaders => ({
  limit: readNumber(headers, 'X-RateLimit-Limit'),
  remaining: readNumber(headers, 'X-RateLimit-Remaining'),
  reset: readNumber(headers, 'X-RateLimit-Reset'),
})

export const numberOf = (header: NumberHeader): number | undefined =>
  header.state === 'number' ? header.value : undefined

/** What `Retry-After` asks for (RFC 9110 §10.2.3). A number that breaks its grammar (`2.5`) still names a wait. */
export type RetryAfter =
  | { readonly form: 'absent' }
  | { readonly form: 'seconds'; readonly seconds: number }
  | { readonly form: 'date'; readonly epochMs: number }
  | { readonly form: 'malformed'; readonly text: string; readonly seconds: number | null }

export const readRetryAfter = (headers: readonly HeaderLine[]): RetryAfter => {
  const values = headerValues(headers, 'Retry-After').map((value) => value.trim())
  if (values.length === 0) return { form: 'absent' }
  const [text] = values
  if (values.length === 1 && /^\d+$/.test(text)) return { form: 'seconds', seconds: Number(text) }
  const epochMs = values.length === 1 ? parseHttpDate(text) : undefined
  if (epochMs !== undefined) return { form: 'date', epochMs }
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
  return { form: 'malformed', text: shown(values), seconds }
}
