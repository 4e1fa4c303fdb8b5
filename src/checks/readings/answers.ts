import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../../evidence/exchange.js'
import { isJsonObject, type Json, type JsonReading } from '../../kit/lossless-json.js'
import { readBody } from './body-readings.js'
import { unreadBecause } from './unread.js'

/** Gateways give these for a service that did not answer. */
const gatewayStatuses = new Set([502, 503, 504])

/** Whether a gateway stood in for the service: its answer says nothing about the service. */
export const isGatewayAnswer = (x: Answered): boolean => gatewayStatuses.has(x.response.status)

/** Whether the body is all that was sent, and can be read: whether it says something sensible is another question. */
export const isWhole = (x: Answered): boolean => unreadBecause(x) === undefined

/** Every answer of an operation of the interface, 429s that were asked again included. */
export const operationAnswers = (evidence: Evidence): Answered[] =>
  evidence.exchanges.filter((x): x is Answered => x.operation !== null && isAnswered(x))

/** What a case is called: its own name, else what was asked. */
export const nameOf = (x: Exchange): string => x.intent.case ?? `${x.request.method} ${new URL(x.request.url).pathname}`

/** The body as JSON, all digits kept. */
export const jsonOf = (x: Answered): JsonReading => readBody(x.response.body)

/** What was read as a JSON object; undefined where it is none. */
export const objectIn = (reading: JsonReading): { readonly [name: string]: Json } | undefined =>
  reading.ok && isJsonObject(reading.value) ? reading.value : undefined

/** The body as a JSON object; undefined where it is none. */
export const objectOf = (x: Answered): { readonly [name: string]: Json } | undefined => objectIn(jsonOf(x))
