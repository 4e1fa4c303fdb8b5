import type { Evidence } from '../../evidence/evidence.js'
import {
  type Answered,
  type Exchange,
  type HeaderLine,
  isAnswered,
  type RecordedBody,
} from '../../evidence/exchange.js'
import type { Ledger } from '../../evidence/ledger.js'

/** The kinds of answers that checks read. */
export const answerKinds = ['list', 'update', '400', '401', '404', '429'] as const
export type AnswerKind = (typeof answerKinds)[number]

const kindOf = (status: number, operation: string | null): AnswerKind | undefined => {
  if (status === 200)
    return operation === 'listInventory' ? 'list' : operation === 'updateInventory' ? 'update' : undefined
  return operation === null ? undefined : answerKinds.find((kind) => kind === String(status))
}

type Spoiling = (x: Answered) => Answered

const withBody = (x: Answered, body: Partial<RecordedBody>, headers: readonly HeaderLine[] = []): Answered => {
  const names = headers.map(([name]) => name.toLowerCase())
  const kept = x.response.headers.filter(([name]) => !names.includes(name.toLowerCase()))
  return { ...x, response: { ...x.response, headers: [...kept, ...headers], body: { ...x.response.body, ...body } } }
}

const text = (content: string): Partial<RecordedBody> => ({ encoding: 'utf8', content, bytes: content.length })

const half = ({ response: { body } }: Answered): Partial<RecordedBody> =>
  text(body.content.slice(0, body.content.length / 2))

const answered =
  (status: number): Spoiling =>
  (x) => ({ ...x, response: { ...x.response, status } })

/** Ways in which a body says nothing; in each answer, they are the target's fault. */
export const bodySpoils: Readonly<Record<string, Spoiling>> = {
  'text that does not parse': (x) => withBody(x, text('{"petId":')),
  'an HTML page': (x) => withBody(x, text('<html><h1>Hello</h1></html>'), [['Content-Type', 'text/html']]),
  'a sentence in plain text': (x) => withBody(x, text('not today'), [['Content-Type', 'text/plain']]),
  'no bytes': (x) => withBody(x, text('')),
  'a coding that nobody knows': (x) =>
    withBody(x, { encoding: 'base64', content: '', bytes: 9, truncated: true, coding: 'unreadable' }, [
      ['Content-Encoding', 'zebra'],
    ]),
}

/** Ways that may be anybody's fault, or the harness's own. */
export const cutSpoils: Readonly<Record<string, Spoiling>> = {
  'a body that breaks off': (x) => ({
    ...withBody(x, half(x)),
    error: { phase: 'body', code: 'UND_ERR_SOCKET', message: 'other side closed' },
  }),
  'a body that the harness cut off': (x) => ({
    ...withBody(x, { ...half(x), truncated: true }),
    error: { phase: 'body', code: 'BODY_TOO_LONG', message: 'the body is too long' },
  }),
  'text under the name of a coding that nobody knows': (x) =>
    withBody(x, { coding: 'unreadable' }, [['Content-Encoding', 'zebra']]),
}

/** Another media type with a correct body. */
export const wrongType: Spoiling = (x) => withBody(x, {}, [['Content-Type', 'text/plain']])

/** Statuses that do not come from the operation. */
export const statusSpoils: Readonly<Record<string, Spoiling>> = {
  'a 500': answered(500),
  'a 503': answered(503),
}

const spoiledLedger = (ledger: Ledger, kinds: readonly AnswerKind[], status: number): Ledger => ({
  ...ledger,
  rows: {
    ...ledger.rows,
    status: ledger.rows.status.map((each) => {
      const kind = kindOf(each, 'listInventory')
      return kind !== undefined && kinds.includes(kind) ? status : each
    }),
  },
})

/** Whether the evidence holds an answer of one of the kinds. */
export const holds = ({ exchanges, ledgers }: Evidence, kinds: readonly AnswerKind[]): boolean => {
  const isOf = (status: number, operation: string | null) => {
    const kind = kindOf(status, operation)
    return kind !== undefined && kinds.includes(kind)
  }
  return (
    exchanges.some((x) => isAnswered(x) && isOf(x.response.status, x.operation)) ||
    ledgers.some(({ rows }) => [...rows.status].some((status) => isOf(status, 'listInventory')))
  )
}

/** The evidence with each answer of these kinds spoiled; only the first `times` of them. Without any it is the same, judged once. */
export const spoiled = (
  evidence: Evidence,
  kinds: readonly AnswerKind[],
  spoil: Spoiling,
  times = Number.POSITIVE_INFINITY,
): Evidence => {
  let left = times
  const exchanges = evidence.exchanges.map((x): Exchange => {
    const kind = isAnswered(x) ? kindOf(x.response.status, x.operation) : undefined
    if (!isAnswered(x) || kind === undefined || !kinds.includes(kind) || left === 0) return x
    left -= 1
    return spoil(x)
  })
  return exchanges.every((x, i) => x === evidence.exchanges[i]) ? evidence : { ...evidence, exchanges }
}

/** The evidence with another status on each answer of these kinds, in loads too. */
export const broken = (evidence: Evidence, kinds: readonly AnswerKind[], status: 500 | 503): Evidence => ({
  ...spoiled(evidence, kinds, answered(status)),
  ledgers: evidence.ledgers.map((ledger) => spoiledLedger(ledger, kinds, status)),
})
