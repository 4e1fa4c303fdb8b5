import { areaOf, areas } from '../contract/clauses.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import type { Ledger } from '../evidence/ledger.js'
import { formatDuration } from '../kit/duration.js'
import { type Report, reportSchemaVersion, type WitnessRow } from '../report/model.js'
import { sentenceOf } from '../report/wording.js'
import type { CheckResult, ClauseResult, Judged } from '../runner/judge.js'
import { outcomeOf } from '../verdict/outcome.js'
import { curlOf } from './curl.js'
import { exitCodeOf } from './exit-code.js'
import { loadRows, quotaRows, timelines } from './run-figures.js'

const mostWitnesses = 12
const mostExchanges = 250
const mostBodyCharacters = 4_000

const cut = (text: string): string =>
  text.length <= mostBodyCharacters ? text : `${text.slice(0, mostBodyCharacters)}… (${text.length} characters in all)`

const witnessRow = (x: Exchange): WitnessRow => ({
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
  response: x.response && {
    status: x.response.status,
    reason: x.response.reason,
    headers: x.response.headers.map(([name, value]): [string, string] => [name, cut(value)]),
    body: cut(x.response.body.content),
    bodyBytes: x.response.body.bytes,
  },
  error: x.error && `${x.error.phase}: ${x.error.message}`,
  curl: curlOf(x),
})

const headersOfRow = ({ rows }: Ledger, i: number): [string, string][] => {
  const named = {
    'X-RateLimit-Limit': rows.limit,
    'X-RateLimit-Remaining': rows.remaining,
    'X-RateLimit-Reset': rows.reset,
    'Retry-After': rows.retryAfter,
  }
  return Object.entries(named).flatMap(([name, column]): [string, string][] =>
    Number.isNaN(column[i]) ? [] : [[name, Number.isFinite(column[i]) ? String(column[i]) : '(not a plain number)']],
  )
}

const ledgerWitness = (evidence: Evidence, id: string): WitnessRow | undefined => {
  const [name, place] = id.split('#')
  const ledger = evidence.ledgers.find(({ head }) => head.id === name)
  const i = Number(place)
  if (!ledger || !(i < ledger.rows.length)) return undefined
  const { rows, head } = ledger
  const received = rows.receivedUs[i]
  return {
    id,
    probe: head.probe,
    step: 'load',
    key: head.key,
    operation: 'listInventory',
    sentAt: rows.sentUs[i] / 1000,
    receivedAt: Number.isNaN(received) ? null : received / 1000,
    request: { method: 'GET', url: `${evidence.run.baseUrl}/inventory`, headers: [], body: null },
    response:
      rows.status[i] === 0
        ? null
        : { status: rows.status[i], reason: '', headers: headersOfRow(ledger, i), body: '', bodyBytes: 0 },
    error: rows.status[i] === 0 ? 'no answer' : null,
    curl: null,
  }
}

/** The exchanges that the checks name, failures first; the number of those that were left out. */
const witnessesOf = (evidence: Evidence, results: readonly CheckResult[]): { rows: WitnessRow[]; leftOut: number } => {
  const failedFirst = [...results].sort(
    (a, b) => Number(b.finding.verdict === 'fail') - Number(a.finding.verdict === 'fail'),
  )
  const ids = [...new Set(failedFirst.flatMap(({ finding }) => finding.witnesses.slice(0, mostWitnesses)))]
  const byId = new Map(evidence.exchanges.map((x) => [x.id, x]))
  const rows = ids.slice(0, mostExchanges).flatMap((id) => {
    const x = byId.get(id)
    return (x ? witnessRow(x) : ledgerWitness(evidence, id)) ?? []
  })
  return { rows, leftOut: Math.max(0, ids.length - mostExchanges) }
}

const checkRow = (evidence: Evidence, { check, level, finding }: CheckResult): Report['checks'][number] => ({
  id: check.id,
  promise: check.promise,
  clauses: [...check.clauses],
  level,
  verdict: finding.verdict,
  code: finding.code,
  facts: finding.facts,
  message: sentenceOf(finding),
  witnesses: finding.witnesses.slice(0, mostWitnesses),
  witnessesLeftOut: Math.max(0, finding.witnesses.length - mostWitnesses),
  command: `${evidence.run.command.replace(/ --only \S+/g, '')} --only ${check.id}`,
})

const reasonOf = ({ verdict, results }: ClauseResult): string => {
  if (results.length === 0) return 'no check looks at this yet'
  const telling = results.filter(({ finding }) => finding.verdict === verdict)
  return [...new Set(telling.map(({ finding }) => sentenceOf(finding)))].join('; ')
}

const spendingOf = ({ run, exchanges, ledgers }: Evidence): Report['spending'] => {
  const spent = new Map<string, number>()
  const add = (slot: string, count: number) => spent.set(slot, (spent.get(slot) ?? 0) + count)
  const planned = new Map(run.planned.requests.map(({ key, probe, requests }) => [`${key} ${probe}`, requests]))
  for (const x of exchanges) {
    const slot = `${x.key} ${x.probe}`
    const isStranger = !['bearer', 'lower-case-scheme', 'upper-case-scheme'].includes(x.credential)
    add(x.asksAgain ? 'any asked-again' : isStranger ? `strangers ${x.probe}` : slot, 1)
  }
  for (const { head } of ledgers) add(`${head.key} ${head.probe}`, head.counts.sent)
  return [...new Set([...planned.keys(), ...spent.keys()])].map((slot) => {
    const [key, probe] = slot.split(' ')
    return { key, probe, planned: planned.get(slot) ?? 0, spent: spent.get(slot) ?? 0 }
  })
}

/** What stopped the run before anything could be judged, and what to do about it. */
const standstill = ({ run, exchanges }: Evidence): string | undefined => {
  const hellos = exchanges.filter(({ probe }) => probe === 'hello')
  if (hellos.length === 0) return undefined
  const failed = hellos.find(({ response }) => response === null)
  if (hellos.every(({ response }) => response === null)) {
    return `Nothing answered at ${run.baseUrl} (${failed?.error?.message ?? 'no answer'}). Is the target running, and is --target its base address?`
  }
  if (hellos.every(({ response }) => response?.status === 401)) {
    return `No key was accepted: ${run.baseUrl} answered 401 to each of them. Check --key, or QUOTASPEC_KEY_FREE and its like.`
  }
  return undefined
}

const headlineOf = (evidence: Evidence, judged: Judged, outcome: Report['outcome']): string => {
  const stopped = standstill(evidence)
  if (stopped) return stopped
  const must = judged.clauses.filter(({ clause }) => clause.level === 'must')
  const count = (verdict: string) => must.filter((each) => each.verdict === verdict).length
  const interrupted = evidence.interrupted ? ' The run was interrupted.' : ''
  if (outcome === 'fail') {
    const failed = judged.clauses.filter(
      ({ clause, verdict }) => verdict === 'fail' && (clause.level === 'must' || evidence.run.strict),
    )
    return `The target breaks ${failed.map(({ clause }) => clause.id).join(', ')}.${interrupted}`
  }
  if (outcome === 'inconclusive') {
    const open = must.filter(({ verdict }) => verdict === 'inconclusive').map(({ clause }) => clause.id)
    const what = open.length > 0 ? `${open.join(', ')} could not be settled.` : 'Nothing was proven.'
    return `${what}${interrupted}`
  }
  const untested = count('not-tested')
  return `The target keeps all ${count('pass')} binding clauses that this scenario tests${untested > 0 ? `; ${untested} others were not tested` : ''}.${interrupted}`
}

export interface ReportContext {
  readonly version: string
  readonly crashed: boolean
}

/** Everything that the renderers show, put together from evidence and verdicts alone. */
export const buildReport = (evidence: Evidence, judged: Judged, { version, crashed }: ReportContext): Report => {
  const { run } = evidence
  const outcome = outcomeOf(
    judged.clauses.map(({ clause, verdict }) => ({ level: clause.level, verdict })),
    run.strict,
  )
  const witnesses = witnessesOf(evidence, judged.checks)
  const notes = evidence.notes.map(({ at, text }) => ({ at, text }))
  return {
    schemaVersion: reportSchemaVersion,
    tool: { name: 'quotaspec', version },
    run: {
      id: run.id,
      scenario: run.scenario,
      startedAt: run.startedAt,
      durationMs: Math.round(evidence.endedAt),
      plannedMs: run.planned.durationMs,
      timeScale: run.timeScale,
      seed: run.seed,
      strict: run.strict,
      exitCode: exitCodeOf(outcome, { interrupted: evidence.interrupted, crashed: crashed || judged.crashed }),
      interrupted: evidence.interrupted,
      command: run.command,
      environment: run.environment,
    },
    target: { baseUrl: run.baseUrl },
    outcome,
    headline: headlineOf(evidence, judged, outcome),
    clauses: judged.clauses.map((each) => ({
      id: each.clause.id,
      level: each.clause.level,
      area: areas[areaOf(each.clause.id)],
      source: each.clause.source,
      sentence: each.clause.sentence,
      verdict: each.verdict,
      reason: reasonOf(each),
      checks: each.results.map(({ check }) => check.id),
    })),
    checks: judged.checks.map((each) => checkRow(evidence, each)),
    quotas: quotaRows(evidence),
    load: loadRows(evidence),
    timelines: timelines(evidence),
    gates: [],
    spending: spendingOf(evidence),
    notes:
      notes.length > 0
        ? notes
        : [{ at: 0, text: `nothing had to be waited for; planned were ${formatDuration(run.planned.durationMs)}` }],
    exchanges: witnesses.rows,
    exchangesLeftOut: witnesses.leftOut,
    restored: evidence.unrestored.length === 0,
    unrestored: evidence.unrestored.map(({ petId, quantity }) => ({
      petId,
      quantity,
      curl: `curl -sS -X PATCH '${run.baseUrl}/inventory/${petId}' -H 'Authorization: Bearer '"$QUOTASPEC_KEY_${(run.keys[0]?.plan ?? 'free').toUpperCase()}" -H 'Content-Type: application/json' --data '{"quantity":${quantity}}'`,
    })),
  }
}
