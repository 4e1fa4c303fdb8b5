import { z } from 'zod'

/** A header as it came over the wire: in its own case, in its own position, as often as it came. */
export type HeaderLine = readonly [name: string, value: string]

/** A tuple's schema would take most of the time of reading a journal. */
export const headerLine = z.custom<HeaderLine>(
  (line) => Array.isArray(line) && line.length === 2 && line.every((each) => typeof each === 'string'),
)

/** Header lines from alternating names and values, as a parser returns them. */
export const headerLines = (raw: readonly string[]): HeaderLine[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at], raw[2 * at + 1]])

/**
 * A recorded body, its content codings undone: text if it is UTF-8, else base64. `bytes` counts what came, or what decoding
 * yielded; `truncated` means that less than that was kept.
 */
export const recordedBody = z.object({
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  bytes: z.number(),
  truncated: z.boolean(),
  /**
   * If `Content-Encoding` names a coding: whether it was undone. If it cannot be, the content is the coded form, kept only if
   * it is text, since a secret in it could not be found. Absent if there was none, or nobody tried.
   */
  coding: z.enum(['undone', 'unreadable']).optional(),
})
export type RecordedBody = z.infer<typeof recordedBody>

const recordedResponse = z.object({
  status: z.number(),
  reason: z.string(),
  headers: z.array(headerLine),
  body: recordedBody,
})
/** An answer that was kept whole: from a single exchange, or as a sample of a load. */
export type RecordedResponse = z.infer<typeof recordedResponse>

export const exchangePhases = ['connect', 'send', 'head', 'body'] as const

/**
 * One request and its result. Times are milliseconds on the run's monotonic clock, counted from its start. Keys are already
 * redacted: nothing here has ever held one.
 */
export const exchange = z.object({
  id: z.string(),
  /** The probe that sent it, and its step in that probe: `read-write-read`, `control`. */
  probe: z.string(),
  step: z.string(),
  /** The probe's purpose: the case of a table, the pet, the quantity. Plain text values. */
  intent: z.record(z.string(), z.string()),
  /** The name of the key behind the credential, such as `free`; null if none was sent. */
  key: z.string().nullable(),
  /** The form of the credential: `bearer` is the interface's own; `none` means no credential. */
  credential: z.string(),
  /** The requested operation; null for a path or method outside the interface. */
  operation: z.string().nullable(),
  /** The quota that it was sent for, if a contract has several. */
  quota: z.string().optional(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(headerLine),
    body: recordedBody.nullable(),
  }),
  /** Just before the first byte was written. */
  sentAt: z.number(),
  /** When the status line had been parsed; null if none came. */
  receivedAt: z.number().nullable(),
  /** When the body had ended, or the exchange had failed. */
  endedAt: z.number(),
  response: recordedResponse.nullable(),
  error: z.object({ phase: z.enum(exchangePhases), code: z.string(), message: z.string() }).nullable(),
  /** The exchange that this one repeats, because a 429 or a broken connection got in the way. */
  asksAgain: z.string().nullable(),
})
export type Exchange = z.infer<typeof exchange>

export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']>; readonly receivedAt: number }

export const isAnswered = (x: Exchange): x is Answered => x.response !== null && x.receivedAt !== null

/** Gateways send these for a service that did not answer. */
const gatewayStatuses = new Set([502, 503, 504])

/** Whether a gateway stood in for the service: its answer says nothing about the service. */
export const isGatewayAnswer = (x: Answered): boolean => gatewayStatuses.has(x.response.status)

/** Every value of a header, in order; its name in any letter case (RFC 9110 §5.1). */
export const headerValues = (headers: readonly HeaderLine[], name: string): string[] => {
  const wanted = name.toLowerCase()
  const isWanted = ([each]: HeaderLine) => each.length === wanted.length && each.toLowerCase() === wanted
  return headers.filter(isWanted).map(([, value]) => value)
}
