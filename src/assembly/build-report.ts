import { z } from 'zod'
import { sentenceOf } from '../checks/law/sentence-of.js'
import { areaOf, areas } from '../contract/clauses.js'
import { isValidForm } from '../evidence/credential-forms.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange, RecordedResponse } from '../evidence/exchange.js'
import type { RunEndCause } from '../evidence/journal.js'
import type { Ledger } from '../evidence/ledger.js'
import { formatDuration } from '../kit/duration.js'
import { type Witness, witnessText } from '../kit/witness.js'
import { type CheckRow, type Report, reportSchemaVersion, type WitnessRow } from '../report/model.js'
import { type Settlement, settle, type Unsettled } from '../report/settle.js'
import type { CheckResult, ClauseResult, Judged } from '../runner/judging/judge-checks.js'
import { bySlot } from '../runner/plan/budget.js'
import { gatesSchema } from '../scenario/gates.js'
import { waiver } from '../scenario/waivers.js'
import type { Outcome } from '../verdict/outcome.js'
import { backoffRows } from './backoff-figures.js'
import { banRows } from './ban-figures.js'
import { checkRow, mostWitnesses } from './check-row.js'
import { curlOf } from './curl.js'
import { exitCodeOf, exitCodes } from './exit-code.js'
import { headlineWithLook, rejectedKeysOf } from './first-look-in-words.js'
import { loadRows, quotaRows } from './run-figures.js'
import { timelines } from './timelines.js'
import { unrestoredRows } from './unrestored.js'
import { askedStretches } from './worst-stretches.js'

/** Bounds on a report, so that it opens at once: exchanges in all, and the text of a body or header. */
const mostExchanges = 250
const mostBodyCharacters = 4_000

const cut = (text: string): string =>
  text.length <= mostBodyCharacters ? text : `${text.slice(0, mostBodyCharacters)}… (${text.length} characters in all)`

type LedgerPlace = Exclude<Witness, { readonly id: string }>

const responseRow = ({ status, reason, headers, body }: RecordedResponse): NonNullable<WitnessRow['response']> => ({
  status,
  reason,
  headers: headers.map(([name, value]): [string, string] => [name, cut(value)]),
  body: cut(body.content),
  bodyBytes: body.bytes,
})

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
  response: x.response && responseRow(x.response),
  error: x.error && `${x.error.phase}: ${x.error.message}`,
  curl: curlOf(x),
})

const headersOfRow = (rows: Ledger['rows'], i: number): [string, string][] => {
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

/** Of a load most answers are kept as a row of numbers, a few whole. */
const responseOfRow = ({ rows, head }: Ledger, row: number): WitnessRow['response'] => {
  if (rows.status[row] === 0) return null
  const sample = head.samples.find((each) => each.row === row)
  if (sample) return responseRow(sample)
  return { status: rows.status[row], reason: '', headers: headersOfRow(rows, row), body: '', bodyBytes: 0 }
}

const ledgerWitness = (evidence: Evidence, witness: LedgerPlace): WitnessRow | undefined => {
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
    operation: 'listInventory',
    sentAt: rows.sentUs[row] / 1000,
    receivedAt: Number.isNaN(received) ? null : received / 1000,
    request: { method: 'GET', url: `${evidence.run.baseUrl}/inventory`, headers: [], body: null },
    response: responseOfRow(ledger, row),
    error: rows.status[row] === 0 ? 'no answer' : null,
    curl: null,
  }
}

/** The exchanges that checks name, those of failures first, and how many were left out. */
const witnessesOf = (evidence: Evidence, results: readonly CheckResult[]): { rows: WitnessRow[]; leftOut: number } => {
  const failedFirst = [...results].sort(
    (a, b) => Number(b.finding.verdict === 'fail') - Number(a.finding.verdict === 'fail'),
  )
  const named = failedFirst.flatMap(({ finding }) => finding.witnesses.slice(0, mostWitnesses))
  const all = [...new Map(named.map((each) => [witnessText(each), each])).values()]
  const byId = new Map(evidence.exchanges.map((x) => [x.id, x]))
  const rowOf = (each: Witness): WitnessRow | undefined => {
    if (!('id' in each)) return ledgerWitness(evidence, each)
    const x = byId.get(each.id)
    return x && witnessRow(x)
  }
  const rows = all.slice(0, mostExchanges).flatMap((each) => rowOf(each) ?? [])
  return { rows, leftOut: Math.max(0, all.length - mostExchanges) }
}

const checkOfTarget = (evidence: Evidence, result: CheckResult): CheckRow => ({
  ...checkRow(result),
  waived: null,
  command: `${evidence.run.command.replace(/ --only \S+/g, '')} --only ${result.check.id}`,
})

const reasonOf = ({ verdict, results }: ClauseResult): string => {
  if (results.length === 0) return 'no check looks at this yet'
  const telling = results.filter(({ finding }) => finding.verdict === verdict)
  return [...new Set(telling.map(({ check, finding }) => sentenceOf(check, finding)))].join('; ')
}

const spendingOf = ({ run, exchanges, ledgers }: Evidence): Report['spending'] => {
  const spent = new Map<string, number>()
  const add = (slot: string, count: number) => spent.set(slot, (spent.get(slot) ?? 0) + count)
  const planned = bySlot(run.planned.requests)
  for (const x of exchanges) {
    const slot = `${x.key} ${x.probe}`
    const isStranger = !isValidForm(x.credential)
    add(x.asksAgain ? 'any asked-again' : isStranger ? `strangers ${x.probe}` : slot, 1)
  }
  for (const { head } of ledgers) add(`${head.key} ${head.probe}`, head.counts.sent)
  return [...new Set([...planned.keys(), ...spent.keys()])].map((slot) => {
    const [key, probe] = slot.split(' ')
    return { key, probe, planned: planned.get(slot) ?? 0, spent: spent.get(slot) ?? 0 }
  })
}

export interface ReportContext {
  readonly version: string
  readonly crashed: boolean
}

/** What decides the outcome besides the clauses: keys, gates and waivers, as the journal has them. */
const settlementOf = ({ run, ...evidence }: Evidence): Settlement => ({
  rejectedKeys: rejectedKeysOf(evidence),
  gates: gatesSchema.parse(run.gates),
  waivers: z.array(waiver).parse(run.waivers ?? []),
  plans: [...new Set(run.keys.map(({ plan }) => plan))],
  isPartial: run.only.length > 0,
})

const runOf = ({ run, endedAt, interrupted }: Evidence): Report['run'] => ({
  id: run.id,
  scenario: run.scenario,
  startedAt: run.startedAt,
  durationMs: Math.round(endedAt),
  plannedMs: run.planned.durationMs,
  timeScale: run.timeScale,
  seed: run.seed,
  strict: run.strict,
  exitCode: exitCodes.inconclusive,
  interrupted,
  command: run.command,
  environment: run.environment,
})

const notesOf = ({ run, notes }: Evidence): Report['notes'] =>
  notes.length > 0
    ? notes.map(({ at, text }) => ({ at, text }))
    : [{ at: 0, text: `nothing had to be waited for; planned were ${formatDuration(run.planned.durationMs)}` }]

/** Everything that was seen and judged, without the outcome. */
const unsettled = (evidence: Evidence, judged: Judged, version: string): Unsettled => {
  const { run } = evidence
  const witnesses = witnessesOf(evidence, judged.checks)
  return {
    schemaVersion: reportSchemaVersion,
    tool: { name: 'quotaspec', version },
    run: runOf(evidence),
    target: { baseUrl: run.baseUrl },
    clauses: judged.clauses.map((each) => ({
      id: each.clause.id,
      level: each.clause.level,
      area: areas[areaOf(each.clause.id)],
      source: each.clause.source,
      sentence: each.clause.sentence,
      verdict: each.verdict,
      reason: reasonOf(each),
      checks: each.results.map(({ check }) => check.id),
      waived: null,
    })),
    checks: judged.checks.map((each) => checkOfTarget(evidence, each)),
    quotas: quotaRows(evidence),
    load: loadRows(evidence, askedStretches(gatesSchema.parse(run.gates))),
    timelines: timelines(evidence),
    backoff: backoffRows(evidence),
    bans: banRows(evidence, judged.checks),
    spending: spendingOf(evidence),
    notes: notesOf(evidence),
    exchanges: witnesses.rows,
    exchangesLeftOut: witnesses.leftOut,
    restored: evidence.unrestored.length === 0,
    unrestored: unrestoredRows(evidence),
  }
}

/** What is said of a run that something else than the user ended early. */
const earlyEnds: Readonly<Record<RunEndCause, string>> = {
  'journal-broken': 'The journal could not be written any more, so the run was ended.',
  'time-limit': 'The time limit of the run was reached.',
  'target-silent': 'The target stopped answering, so the run was ended.',
}

/** A target that stopped answering did not pass, whatever it had shown before. */
const outcomeOf = (outcome: Outcome, { endedBy }: Evidence): Outcome =>
  outcome === 'pass' && endedBy === 'target-silent' ? 'inconclusive' : outcome

/** Everything that the renderers show, put together from evidence and verdicts alone. */
export const buildReport = (evidence: Evidence, judged: Judged, { version, crashed }: ReportContext): Report => {
  const settled = settle(unsettled(evidence, judged, version), settlementOf(evidence))
  const ended = { interrupted: evidence.interrupted, crashed: crashed || judged.crashed }
  const outcome = outcomeOf(settled.outcome, evidence)
  const early = evidence.endedBy ? [earlyEnds[evidence.endedBy]] : []
  return {
    ...settled,
    outcome,
    run: { ...settled.run, exitCode: exitCodeOf(outcome, ended) },
    headline: [headlineWithLook(evidence, settled), ...early].join(' '),
  }
}
