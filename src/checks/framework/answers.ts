import { isValidForm } from '../../evidence/credential-forms.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, headerValues, isAnswered, type RecordedBody } from '../../evidence/exchange.js'
import { rowWitness } from '../../evidence/ledger.js'
import { codingsIn, isKnownCoding } from '../../kit/content-coding.js'
import { isJsonObject, type Json, type JsonReading, readJson } from '../../kit/json.js'
import { onceFor } from '../../kit/once-for.js'
import { witnessText } from '../../kit/witness.js'

/** A recorded body as JSON, with all digits. Parsed once each: many checks ask, and many answers share a body. */
export const readBody = onceFor(
  ({ encoding, content }: RecordedBody): JsonReading =>
    encoding === 'utf8' ? readJson(content) : { ok: false, reason: 'not-json', detail: 'the body is not UTF-8' },
)

/**
 * Why a body can't be read.
 *
 * - `coded`: its coding can't be undone, so nobody can read it. The target's fault.
 * - `broken-off`: the connection ended before the body did. A single one may be anybody's fault; if most do, it is the
 *   target's.
 * - `cut-by-us`: a limit of the harness cut it, or the run ended.
 * - `mislabelled`: readable text, labelled with a coding that nobody knows.
 */
type Unread = 'coded' | 'broken-off' | 'cut-by-us' | 'mislabelled'

const interrupted = 'INTERRUPTED'
const timedOut = 'UND_ERR_BODY_TIMEOUT'

/** Whether the body is complete JSON although its head promised more bytes. */
const promisedMore = ({ response: { headers, body } }: Pick<Answered, 'response'>): boolean =>
  headerValues(headers, 'Content-Length').some((length) => Number(length) > body.bytes) &&
  body.encoding === 'utf8' &&
  readJson(body.content).ok

export const unreadBecause = (x: Pick<Answered, 'response' | 'error'>): Unread | undefined => {
  const { headers, body } = x.response
  const codings = codingsIn(headerValues(headers, 'Content-Encoding'))
  if (body.coding === 'unreadable')
    return body.encoding === 'utf8' && !body.truncated && !codings.every(isKnownCoding) ? 'mislabelled' : 'coded'
  // Recorded by a version that did not undo codings.
  if (body.coding === undefined && codings.length > 0) return 'cut-by-us'
  if (body.truncated || x.error?.code === interrupted) return 'cut-by-us'
  if (x.error?.code === timedOut) return promisedMore(x) ? 'broken-off' : 'cut-by-us'
  return x.error === null ? undefined : 'broken-off'
}

export const isWhole = (x: Pick<Answered, 'response' | 'error'>): boolean => unreadBecause(x) === undefined

/** Every answer to an operation of the interface, including 429s that were asked again. */
export const operationAnswers = (evidence: Evidence): Answered[] =>
  evidence.exchanges.filter((x): x is Answered => x.operation !== null && isAnswered(x))

/** The exchanges with a valid key and the documented spelling, as the texts of their witnesses. */
export const plainlyAsked = ({ exchanges }: Evidence): ReadonlySet<string> =>
  new Set(exchanges.flatMap((x) => (isValidForm(x.credential) && !x.intent.spelling ? [witnessText(x)] : [])))

/** The name of a case: its own, else method and path. */
export const nameOf = (x: Exchange): string => x.intent.case ?? `${x.request.method} ${new URL(x.request.url).pathname}`

export const jsonOf = (x: Answered): JsonReading => readBody(x.response.body)

export const objectIn = (reading: JsonReading): { readonly [name: string]: Json } | undefined =>
  reading.ok && isJsonObject(reading.value) ? reading.value : undefined

export const objectOf = (x: Answered): { readonly [name: string]: Json } | undefined => objectIn(jsonOf(x))

/** The answers of loads that were recorded in full. */
export const sampledAnswers = ({ ledgers }: Pick<Evidence, 'ledgers'>) =>
  ledgers.flatMap((ledger) =>
    ledger.head.samples.map(({ row, ...response }) => ({ ledger, row, witness: rowWitness(ledger, row), response })),
  )

/** The 429s of a run that were recorded in full: single exchanges, then samples of loads. */
export const keptRefusals = (evidence: Evidence) => {
  const single = evidence.exchanges.map(({ id, response }) => ({ witness: { id }, response }))
  return [...single, ...sampledAnswers(evidence)].flatMap(({ witness, response }) =>
    response?.status === 429 ? [{ witness, headers: response.headers, body: response.body }] : [],
  )
}
