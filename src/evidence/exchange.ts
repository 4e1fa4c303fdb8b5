import { z } from 'zod'

/** A header as it came over the wire: the name in its own case, in its own place, as often as it came. */
export const headerLine = z.tuple([z.string(), z.string()]).readonly()
export type HeaderLine = z.infer<typeof headerLine>

/** Names and values in turn, as a parser gives them, line by line. */
export const headerLines = (raw: readonly string[]): HeaderLine[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at], raw[2 * at + 1]])

/**
 * A body as it was recorded, its content codings undone. Text where it is UTF-8, base64 of the bytes where it is not.
 * `bytes` counts what came, or what came out of the coding; `truncated` says that less than that was kept.
 */
export const recordedBody = z.object({
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  bytes: z.number(),
  truncated: z.boolean(),
  /**
   * Where `Content-Encoding` names a coding: whether it was undone, or can't be: then the content is the coded form,
   * and that only where it is text, for a secret in it could not be found. Absent where there was none, or nobody
   * tried.
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
/** An answer that was kept whole: of a single exchange, or a sample of a load. */
export type RecordedResponse = z.infer<typeof recordedResponse>

/** Where in its life an exchange failed. */
export const exchangePhases = ['connect', 'send', 'head', 'body'] as const

/**
 * One request and what came of it. Times are milliseconds on the run's monotonic clock, counted from its start.
 * Keys are redacted already: nothing here has ever held one.
 */
export const exchange = z.object({
  id: z.string(),
  /** The probe that sent it, and its part in that probe: `read-write-read`, `control`. */
  probe: z.string(),
  step: z.string(),
  /** What the probe meant by it: the case of a table, the pet, the quantity. Plain text values. */
  intent: z.record(z.string(), z.string()),
  /** The name of the key that the credential was made from, such as `free`; null where none was sent. */
  key: z.string().nullable(),
  /** The form of the credential: `bearer` is the interface's own; `none` is no credential. */
  credential: z.string(),
  /** The operation that it asks for; null for a path or method that is none of the interface's. */
  operation: z.string().nullable(),
  /** The quota that it was sent for, where a contract has several. */
  quota: z.string().optional(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(headerLine),
    body: recordedBody.nullable(),
  }),
  /** Just before the first byte was written. */
  sentAt: z.number(),
  /** When the status line had been parsed; null where none came. */
  receivedAt: z.number().nullable(),
  /** When the body had ended, or the exchange had failed. */
  endedAt: z.number(),
  response: recordedResponse.nullable(),
  error: z.object({ phase: z.enum(exchangePhases), code: z.string(), message: z.string() }).nullable(),
  /** The exchange whose question this one asks again, because a 429 or a broken connection was in the way. */
  asksAgain: z.string().nullable(),
})
export type Exchange = z.infer<typeof exchange>

/** An exchange that was answered, its status and headers to hand. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']>; readonly receivedAt: number }

export const isAnswered = (x: Exchange): x is Answered => x.response !== null && x.receivedAt !== null

/** Gateways give these for a service that did not answer. */
const gatewayStatuses = new Set([502, 503, 504])

/** Whether a gateway stood in for the service: its answer says nothing about the service. */
export const isGatewayAnswer = (x: Answered): boolean => gatewayStatuses.has(x.response.status)

/** Every value of a header, in order; the name in any letter case (RFC 9110 §5.1). */
export const headerValues = (headers: readonly HeaderLine[], name: string): string[] =>
  headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
