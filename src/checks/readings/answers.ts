import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../../evidence/exchange.js'
import { isJsonObject, type Json, type JsonReading } from '../../kit/lossless-json.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { type Breach, fail, inconclusive } from '../law/finding.js'
import { concluded, type Kinds, type Need, tellingCases } from '../law/needs.js'
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

const unanswered = (x: Exchange): string =>
  x.error ? `${x.error.phase}: ${x.error.message}` : `status ${x.response?.status}`

/** What one answer shows: a breach, nothing wrong, or nothing at all, where it can't be read. */
export type AnswerVerdict = Breach | 'left-out' | undefined

/** The kinds that a pass takes a case of, and which of them an answer is of. */
export interface Spread {
  readonly kinds?: Kinds
  readonly kindOf?: (x: Answered) => string | undefined
}

/**
 * Looks at each exchange. One breach is a failure, and the first few that show it are its witnesses. With no breach, an
 * unanswered question leaves the promise open; an answer that can't be read is left out; the others have to meet the need.
 */
export const judgeEach = (
  evidence: Evidence,
  exchanges: readonly Exchange[],
  need: Need,
  look: (x: Answered) => AnswerVerdict,
  { kinds, kindOf }: Spread = {},
): Finding<FindingCode> => {
  const breaches: { breach: Breach; x: Answered }[] = []
  const open: Exchange[] = []
  const telling = tellingCases()
  let leftOut = 0
  for (const x of exchanges) {
    if (!isAnswered(x) || isGatewayAnswer(x)) {
      open.push(x)
      continue
    }
    const found = look(x)
    if (found === 'left-out') leftOut += 1
    else if (found) breaches.push({ breach: found, x })
    else telling.add(x, kindOf?.(x))
  }
  const [first] = breaches
  if (first) {
    const facts = { ...first.breach.facts, others: breaches.length - 1 }
    return fail(first.breach.code, facts as never, ...breaches.map(({ x }) => x))
  }
  if (open.length > 0) return inconclusive('no-answer', { case: nameOf(open[0]), detail: unanswered(open[0]) }, ...open)
  return concluded(evidence, need, telling, { kinds, leftOut })
}
