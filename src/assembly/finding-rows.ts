import type { Certificate } from '../certificate/certificates.js'
import type { Replayed } from '../certificate/replays.js'
import { type ApiContract, fieldsShowing } from '../contract/api-contract.js'
import { areaOf, areas } from '../contract/clauses.js'
import { askedRequest, contractOf } from '../contract/petstore/petstore.js'
import { isValidForm } from '../evidence/credential-forms.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange, RecordedResponse } from '../evidence/exchange.js'
import type { Ledger } from '../evidence/ledger.js'
import { type Witness, witnessText } from '../kit/witness.js'
import { seenFirst } from '../report/findings.js'
import type { CertificateRow, CheckRow, ClauseRow, WitnessRow } from '../report/model.js'
import { type CheckResult, type ClauseResult, sentenceOf } from '../run/judge.js'
import type { Verdict } from '../verdict/verdict.js'
import { curlOf, type KeysOfRun } from './repeating.js'

/** How many witnesses of a finding its row lists; the others are counted. */
export const mostWitnesses = 12

/** The headers that a clause is about: those of a quota by meaning, any other by name. */
const headersOfClause: Readonly<Record<string, readonly string[]>> = {
  'BASE-1': ['Content-Type'],
  'AUTH-8': ['WWW-Authenticate'],
  'RATE-1': ['limit', 'remaining', 'reset'],
  'RATE-2': ['limit'],
  'RATE-3': ['remaining', 'limit'],
  'RATE-4': ['remaining'],
  'RATE-5': ['reset'],
  'RATE-6': ['reset'],
  'RATE-7': ['limit', 'remaining', 'reset'],
  'THROTTLE-2': ['Retry-After'],
  'THROTTLE-3': ['Retry-After'],
  'THROTTLE-4': ['Retry-After'],
  'THROTTLE-5': ['Retry-After'],
  'THROTTLE-8': ['Cache-Control', 'Expires'],
  'VER-1': ['Deprecation'],
}

/** The names of the headers that a check of these clauses reads, as the contract writes them. */
export const headersOf = (clauses: readonly string[], { headers }: Pick<ApiContract, 'headers'>): string[] => {
  const asked = clauses.flatMap((id) => headersOfClause[id] ?? [])
  const names = asked.flatMap((each) =>
    each === 'limit' || each === 'remaining' || each === 'reset'
      ? fieldsShowing({ headers }, each).map(({ name }) => name)
      : [each],
  )
  return [...new Set(names)]
}

export const checkRow = ({ check, level, finding }: CheckResult, message = sentenceOf(check, finding)) => ({
  id: check.id,
  promise: check.promise,
  clauses: [...check.clauses],
  level,
  verdict: finding.verdict,
  code: finding.code,
  facts: finding.facts,
  message,
  witnesses: finding.witnesses.slice(0, mostWitnesses).map(witnessText),
  witnessesLeftOut: Math.max(0, finding.witnesses.length - mostWitnesses),
})

/** What the report says about a clause, in its checks' words; `unseen`: why no check covers it. */
export const clauseRow = (
  { id, level, source, sentence }: ClauseResult['clause'],
  verdict: Verdict,
  all: readonly CheckRow[],
  unseen: string,
): ClauseRow => {
  const checks = all.filter(({ clauses }) => clauses.includes(id))
  const telling = seenFirst(checks.filter((each) => each.verdict === verdict))
  return {
    id,
    level,
    area: areas[areaOf(id)],
    source,
    sentence,
    verdict,
    reason: checks.length === 0 ? unseen : [...new Set(telling.map(({ message }) => message))].join('; '),
    checks: checks.map((check) => check.id),
    waived: null,
  }
}

/** Limits on a report, so that it opens at once: exchanges in all, and characters of a body or header. */
const mostExchanges = 250
const mostBodyCharacters = 4_000

const cut = (text: string): string =>
  text.length <= mostBodyCharacters ? text : `${text.slice(0, mostBodyCharacters)}… (${text.length} characters in all)`

const responseRow = ({ status, reason, headers, body }: RecordedResponse): NonNullable<WitnessRow['response']> => ({
  status,
  reason,
  headers: headers.map(([name, value]): [string, string] => [name, cut(value)]),
  body: cut(body.content),
  bodyBytes: body.bytes,
})

const witnessRow = (x: Exchange, run: KeysOfRun): WitnessRow => ({
  id: x.id,
  probe: x.probe,
  step: x.step,
  key: x.key,
  operation: x.operation,
  sentAt: x.sentAt,
  receivedAt: x.receivedAt,
  request: {
    method: x.request.method,
    url: x.request.url,
    headers: x.request.headers.map(([name, value]): [string, string] => [name, value]),
    body: x.request.body && cut(x.request.body.content),
  },
  response: x.response && responseRow(x.response),
  error: x.error && `${x.error.phase}: ${x.error.message}`,
  curl: curlOf(x, run),
})

/** A row keeps only parsed values: they appear under a header's name only if it holds just this number. */
const headersOfRow = (rows: Ledger['rows'], i: number, { headers }: ApiContract): [string, string][] => {
  const nameOf = (part: string) =>
    headers.find(({ is, single }) => single && is === part.toLowerCase())?.name ?? `${part}, as read`
  const named = {
    [nameOf('Limit')]: rows.limit,
    [nameOf('Remaining')]: rows.remaining,
    [nameOf('Reset')]: rows.reset,
    'Retry-After': rows.retryAfter,
  }
  return Object.entries(named).flatMap(([name, column]): [string, string][] =>
    Number.isNaN(column[i]) ? [] : [[name, Number.isFinite(column[i]) ? String(column[i]) : '(not a plain number)']],
  )
}

/** Most answers of a load are kept as a row of numbers, a few completely. */
const responseOfRow = ({ rows, head }: Ledger, row: number, contract: ApiContract): WitnessRow['response'] => {
  if (rows.status[row] === 0) return null
  const sample = head.samples.find((each) => each.row === row)
  if (sample) return responseRow(sample)
  return { status: rows.status[row], reason: '', headers: headersOfRow(rows, row, contract), body: '', bodyBytes: 0 }
}

const requestOfLoad = ({ run }: Pick<Evidence, 'run'>, { operation }: Ledger['head']): WitnessRow['request'] => {
  const { method, path, body = null } = askedRequest(contractOf(run), operation ?? null)
  return { method, url: `${run.baseUrl}${path}`, headers: [], body }
}

/** A load sends the same as single requests: the command of one with the same key; null if there is none. */
const curlOfLoad = ({ exchanges, run }: Evidence, { head }: Ledger): string | null => {
  const operation = head.operation ?? 'listInventory'
  const { method, url } = requestOfLoad({ run }, head)
  const same = exchanges.find(
    (x) =>
      x.key === head.key &&
      x.operation === operation &&
      isValidForm(x.credential) &&
      x.request.method === method &&
      x.request.url === url,
  )
  return same ? curlOf(same, run) : null
}

const ledgerWitness = (evidence: Evidence, witness: Exclude<Witness, { readonly id: string }>) => {
  const ledger = evidence.ledgers.find(({ head }) => head.id === witness.ledger)
  const { row } = witness
  if (!ledger || !(row < ledger.rows.length)) return undefined
  const { rows, head } = ledger
  const received = rows.receivedUs[row]
  return {
    id: witnessText(witness),
    probe: head.probe,
    step: 'load',
    key: head.key,
    operation: head.operation ?? 'listInventory',
    sentAt: rows.sentUs[row] / 1000,
    receivedAt: Number.isNaN(received) ? null : received / 1000,
    request: requestOfLoad(evidence, head),
    response: responseOfRow(ledger, row, contractOf(evidence.run)),
    error: rows.status[row] === 0 ? 'no answer' : null,
    curl: curlOfLoad(evidence, ledger),
  }
}

/** The exchanges named by the pictures of broken quotas and by checks, failures first, and how many were left out. */
export const witnessRows = (evidence: Evidence, results: readonly CheckResult[], pictured: readonly Witness[]) => {
  const failed = ({ finding }: CheckResult) => Number(finding.verdict === 'fail')
  const failedFirst = results.toSorted((a, b) => failed(b) - failed(a))
  const named = failedFirst.flatMap(({ finding }) => finding.witnesses.slice(0, mostWitnesses))
  const all = [...new Map([...pictured, ...named].map((each) => [witnessText(each), each])).values()]
  const byId = new Map(evidence.exchanges.map((x) => [x.id, x]))
  const rowOf = (each: Witness): WitnessRow | undefined => {
    if (!('id' in each)) return ledgerWitness(evidence, each)
    const x = byId.get(each.id)
    return x && witnessRow(x, evidence.run)
  }
  const rows = all.slice(0, mostExchanges).flatMap((each) => rowOf(each) ?? [])
  return { rows, leftOut: Math.max(0, all.length - mostExchanges) }
}

const rowOf = ({ defect, caught, draws }: Replayed): CertificateRow['open'][number] => ({
  defect: defect.id,
  words: defect.words,
  share: caught / draws,
  draws,
  demanded: defect.clauses.length > 0,
})

/** The defects that are excluded, and those that are open, for one key of a quota. */
export const certificateRow = ({ key, plan, measured, replayed }: Certificate, quota: string): CertificateRow => ({
  key,
  plan,
  quota,
  measured: { limit: [...measured.limit], windowMs: measured.windowMs && [...measured.windowMs] },
  excluded: replayed.filter(({ isExcluded }) => isExcluded).map(rowOf),
  open: replayed.filter(({ isExcluded }) => !isExcluded).map(rowOf),
})
