import type { Evidence } from '../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered, type RecordedResponse } from '../evidence/exchange.js'
import { isJsonObject, readJson } from '../kit/lossless-json.js'
import type { Finding } from '../verdict/verdict.js'

const bodyOf = ({ response: { body } }: Answered): { readonly [name: string]: unknown } => {
  const reading = readJson(body.content)
  return reading.ok && isJsonObject(reading.value) ? reading.value : {}
}

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other)

/** The Error body that an answer should have had: the texts of its own where it has them, and its own status. */
const withErrorBody = (x: Answered): Partial<RecordedResponse> => {
  const { code, message } = bodyOf(x)
  const fields = { code: textOr(code, 'mended'), message: textOr(message, 'mended'), status: x.response.status }
  const content = JSON.stringify(fields)
  return { body: { encoding: 'utf8', content, bytes: content.length, truncated: false } }
}

/** What of an answer would be otherwise if it kept the promise that it breaks; undefined where nobody can tell. */
const mendOf = ({ code, facts }: Finding): ((x: Answered) => Partial<RecordedResponse>) | undefined => {
  if (code === 'error-field-wrong' || code === 'no-error-body') return withErrorBody
  const isOne = code === 'unexpected-status' && typeof facts.expected === 'string' && /^\d{3}$/.test(facts.expected)
  return isOne ? () => ({ status: Number(facts.expected) }) : undefined
}

/**
 * The evidence as it would be if the answers that show a failure had been as they should, and everything else as it was;
 * undefined where the failure does not say how they should have been.
 */
export const asMended = (evidence: Evidence, failure: Finding): Evidence | undefined => {
  const mend = mendOf(failure)
  if (!mend) return undefined
  const ids = new Set(failure.witnesses.flatMap((each) => ('id' in each ? [each.id] : [])))
  const mended = (x: Exchange): Exchange =>
    ids.has(x.id) && isAnswered(x) ? { ...x, response: { ...x.response, ...mend(x) } } : x
  return { ...evidence, exchanges: evidence.exchanges.map(mended) }
}
