import { z } from 'zod'
import { certificates } from '../certificate/certificates.js'
import { envelope } from '../certificate/measured.js'
import { adviceFor, type Check } from '../checks/framework/check.js'
import { effectInWords, effectOf } from '../checks/quota/events.js'
import { changedPets } from '../contract/petstore/inventory-model.js'
import { contractOf } from '../contract/petstore/petstore.js'
import { isValidForm } from '../evidence/credential-forms.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import type { RunEndCause } from '../evidence/journal.js'
import type { Witness } from '../kit/witness.js'
import { counted, formatDuration } from '../kit/words.js'
import { eventEffects } from '../oracle/event-effects.js'
import { judgedKeys } from '../oracle/judged-keys.js'
import { explainingModels } from '../oracle/models/explain.js'
import { quantitiesOf } from '../petstore/listed-pets.js'
import { viewOf, viewsOfRun } from '../readings/quota-views.js'
import { type Settlement, settle, type Unsettled } from '../report/model/settle.js'
import {
  type CertificateRow,
  type CheckRow,
  type EnvelopeRow,
  type Report,
  reportSchemaVersion,
} from '../report/model.js'
import { subjectOf } from '../report/quotas.js'
import { type CheckResult, type Judged, judge } from '../run/judge.js'
import { type Gates, gatesSchema } from '../run/options/gates.js'
import type { PreparedRun } from '../run/options/prepare-run.js'
import { waiver } from '../run/options/waivers.js'
import { toolVersion } from '../run/package.js'
import { bySlot } from '../run/plan/budget.js'
import { playPrepared, type RunExecution } from '../run/play-prepared.js'
import type { Outcome } from '../verdict/verdict.js'
import { backoffRows, banRows } from './client-figures.js'
import { exitCodeOf, exitCodes } from './exit-code.js'
import { certificateRow, checkRow, clauseRow, headersOf, witnessRows } from './finding-rows.js'
import { headlineWithLook, rejectedKeysOf } from './first-look.js'
import { followsFrom } from './follows-from.js'
import { askedStretches, limiterCosts, vantageRows } from './load-figures.js'
import { loadRows, quotaRows } from './quota-figures.js'
import { aloneCommand, keyVariable, variablesToSet } from './repeating.js'
import { rerunOf } from './rerun.js'
import { timelines } from './timelines.js'

/** The last list read after the last change; undefined if there is none. */
const lastLook = ({ exchanges }: Evidence): Exchange | undefined => {
  const changes = exchanges.filter(({ request }) => request.method === 'PATCH')
  const lastChangeAt = Math.max(...changes.map(({ endedAt }) => endedAt))
  return exchanges.findLast((x) => x.sentAt >= lastChangeAt && quantitiesOf(x) !== undefined)
}

/** Each pet that was touched and not seen restored, with commands that put it back and, if nobody looked, show it. */
const unrestoredRows = (evidence: Evidence): Report['unrestored'] => {
  const { run, unrestored } = evidence
  const look = lastLook(evidence)
  const seen = look && quantitiesOf(look)
  const key = `-H 'Authorization: Bearer '"$${keyVariable(run, run.keys[0]?.name ?? 'free')}"`
  return unrestored.map(({ petId, quantity }) => ({
    petId,
    quantity,
    curl: `curl -sS -X PATCH '${run.baseUrl}/inventory/${petId}' ${key} -H 'Content-Type: application/json' --data '{"quantity":${quantity}}'`,
    look: seen !== undefined && seen.get(petId) !== quantity ? null : `curl -sS '${run.baseUrl}/inventory' ${key}`,
  }))
}

/** The pets whose quantity differs between the first list of a key and its last one, without those that the run left changed. */
const changedElsewhere = (evidence: Evidence): Report['changedElsewhere'] => {
  const last = lastLook(evidence)
  const first = evidence.exchanges.find((x) => x.key === last?.key && quantitiesOf(x) !== undefined)
  const [was, is] = [first, last].map((x) => (x && quantitiesOf(x)) ?? new Map<string, string>())
  const own = new Set(evidence.unrestored.map(({ petId }) => petId))
  return changedPets(was, is).filter(({ petId }) => was.has(petId) && is.has(petId) && !own.has(petId))
}

const checkOfTarget = (evidence: Evidence, result: CheckResult<Check>, all: Judged<Check>['checks']): CheckRow => {
  const { check, finding } = result
  return {
    ...checkRow(result),
    headers: headersOf(check.clauses, contractOf(evidence.run)),
    advice: finding.verdict === 'fail' && check.advice !== undefined ? adviceFor(check.advice, finding) : null,
    followsFrom: [...followsFrom(evidence, result, all)],
    waived: null,
    ...aloneCommand(evidence, result),
  }
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

/** What a run tests, as the report names it. */
export const targetOf = ({ baseUrl, contract }: Pick<Evidence['run'], 'baseUrl' | 'contract'>): Report['target'] => ({
  baseUrl,
  ...(contract && { contract: contract.name }),
})

/** The gates of a run. Under a contract file there is no inventory to restore. */
const gatesOf = (run: Evidence['run']): Gates => {
  const all = gatesSchema.parse(run.gates)
  if (subjectOf({ target: targetOf(run) }).hasInventory) return all
  const { unrestored: _, ...others } = all
  return others
}

/** What decides the outcome besides the clauses: keys, gates and waivers, as the journal has them. */
const settlementOf = ({ run, ...evidence }: Evidence): Settlement => ({
  rejectedKeys: rejectedKeysOf(evidence),
  gates: gatesOf(run),
  waivers: z.array(waiver).parse(run.waivers ?? []),
  plans: [...new Set(viewsOfRun({ run, ...evidence }).flatMap(({ run: { keys } }) => keys.map(({ plan }) => plan)))],
  isPartial: run.only.length > 0,
})

const runOf = ({ run, endedAt, interrupted }: Evidence, setFirst = variablesToSet(run)): Report['run'] => ({
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
  ...(setFirst.length > 0 && { setFirst }),
  environment: run.environment,
})

const notesOf = ({ run, notes }: Evidence): Report['notes'] =>
  notes.length > 0
    ? notes.map(({ at, text }) => ({ at, text }))
    : [{ at: 0, text: `no wait was needed; planned: ${formatDuration(run.planned.durationMs)}` }]

type Certificates = Report['certificates']

/** The witness that a text of {@link witnessText} names. */
const witnessFrom = (text: string): Witness => {
  const at = text.lastIndexOf('#')
  return at < 0 ? { id: text } : { ledger: text.slice(0, at), row: Number(text.slice(at + 1)) }
}

const certificateRows = (evidence: Evidence): CertificateRow[] =>
  certificates(evidence).map((each) => certificateRow(each, viewOf(evidence).quota.id))

/** The most that was admitted on each key of a quota, by span length. */
const envelopeRows = (evidence: Evidence): EnvelopeRow[] =>
  judgedKeys(evidence)
    .filter(({ judgement }) => judgement !== null)
    .map(({ name, plan, agreed, history, judgement }) => {
      const explaining = explainingModels(judgement?.explanations ?? {})
      const models = explaining.length > 0 ? explaining : (['sliding-log'] as const)
      return { key: name, plan, quota: viewOf(evidence).quota.id, points: envelope(history, agreed, models) }
    })

/** What was done to the target on purpose, with its effect on each quota. */
const eventRows = (evidence: Evidence): Report['events'] => {
  const views = viewsOfRun(evidence)
  return evidence.events.map(({ name, at, endedAt }, i) => {
    const seen = views.map((view) => ({ quota: viewOf(view).quota.id, effect: effectOf(eventEffects(view)[i]) }))
    const outageMs = seen[0]?.effect.outageMs ?? null
    return {
      name,
      at,
      endedAt,
      outageMs,
      effects: seen.flatMap(({ quota, effect }) => effect.plans.map((each) => ({ quota, ...each }))),
      sentence: effectInWords({ name, outageMs, plans: seen.flatMap(({ effect }) => effect.plans) }),
    }
  })
}

const unsettled = (
  evidence: Evidence,
  ended: Evidence,
  judged: Judged<Check>,
  version: string,
  certificates: Certificates,
): Unsettled => {
  const { run } = evidence
  const seen = viewsOfRun(evidence)
  const quotas = seen.flatMap(quotaRows)
  const pictured = quotas.flatMap(({ breach }) => breach?.shownBy?.map(({ id }) => witnessFrom(id)) ?? [])
  const witnesses = witnessRows(evidence, judged.checks, pictured)
  const checks = judged.checks.map((each) => checkOfTarget(evidence, each, judged.checks))
  return {
    schemaVersion: reportSchemaVersion,
    tool: { name: 'quotaspec', version },
    run: runOf(ended),
    target: targetOf(run),
    clauses: judged.clauses.map((each) => clauseRow(each.clause, each.verdict, checks, 'no check tests this yet')),
    checks,
    quotas,
    certificates,
    envelopes: seen.flatMap(envelopeRows),
    load: seen.flatMap((view) => loadRows(view, askedStretches(gatesSchema.parse(run.gates)))),
    limiterCosts: seen.flatMap(limiterCosts),
    vantages: vantageRows(evidence),
    timelines: seen.flatMap(timelines),
    backoff: seen.flatMap(backoffRows),
    bans: seen.flatMap((view) => banRows(view, judged.checks)),
    events: eventRows(evidence),
    spending: spendingOf(evidence),
    notes: notesOf(ended),
    exchanges: witnesses.rows,
    exchangesLeftOut: witnesses.leftOut,
    restored: ended.unrestored.length === 0,
    unrestored: unrestoredRows(ended),
    changedElsewhere: changedElsewhere(ended),
  }
}

/** What the report says if something other than the user ended a run early. */
const earlyEnds: Readonly<Record<RunEndCause, string>> = {
  'journal-broken': 'The journal could not be written any more, so the run was ended.',
  'time-limit': 'The time limit of the run was reached.',
  'target-silent': 'The target stopped answering, so the run was ended.',
  'event-failed': 'The command of an event failed, so the run was ended.',
}

/** The headline with the cause of an early end, unless it already names it. */
const withEnd = (headline: string, cause: string): string =>
  headline.toLowerCase().includes(cause.toLowerCase()) ? headline : `${headline} ${cause}`

/** Causes that keep a run from passing, whatever it had shown before. */
const spoiling: readonly (RunEndCause | undefined)[] = ['target-silent', 'event-failed']

/** A run that such a cause ended does not pass, nor does one that left pets changed. */
const outcomeOf = (outcome: Outcome, { endedBy, unrestored }: Evidence): Outcome =>
  outcome === 'pass' && (spoiling.includes(endedBy) || unrestored.length > 0) ? 'inconclusive' : outcome

/** The headline with what was left changed, which even readers of nothing else must know. */
const withChanged = (headline: string, passed: boolean, { unrestored: { length } }: Evidence): string => {
  if (length === 0) return headline
  const left = `${counted(length, 'pet')} may differ from before the run`
  return passed ? `Nothing failed, but ${left}.` : `${headline} Besides, ${left}.`
}

const certificatesOf = (evidence: Evidence): Certificates => viewsOfRun(evidence).flatMap(certificateRows)

/**
 * Everything that the renderers show, built from evidence and verdicts alone.
 *
 * @param evidence what was judged.
 * @param made.certificates those of all keys; to make them takes a fifth of the time of judging.
 * @param made.ended the same with how the run ended, if it was judged before that.
 */
export const buildReport = (
  evidence: Evidence,
  judged: Judged<Check>,
  made: {
    readonly version: string
    readonly crashed: boolean
    readonly certificates?: Certificates
    readonly ended?: Evidence
  },
): Report => {
  const { version, crashed, certificates = certificatesOf(evidence), ended = evidence } = made
  const settled = settle(unsettled(evidence, ended, judged, version, certificates), settlementOf(evidence))
  const outcome = outcomeOf(settled.outcome, ended)
  const exitCode = exitCodeOf(outcome, { interrupted: ended.interrupted, crashed: crashed || judged.crashed })
  const isOpen = exitCode === exitCodes.inconclusive
  const headline = withChanged(headlineWithLook(evidence, settled), settled.outcome === 'pass', ended)
  return {
    ...settled,
    outcome,
    run: { ...settled.run, exitCode },
    rerun: isOpen ? rerunOf(ended, judged.checks, settled, gatesOf(evidence.run).level === 'should') : null,
    headline: ended.endedBy ? withEnd(headline, earlyEnds[ended.endedBy]) : headline,
  }
}

/**
 * Judges the evidence of a run, live or read back, and builds its report.
 *
 * @param judgedBy the same for every check, if that was judged before: then most of what the report shows is computed.
 */
export const reportOf = (evidence: Evidence, crashed = false, judgedBy = evidence): Report =>
  buildReport(judgedBy, judge(judgedBy), { version: toolVersion, crashed, ended: evidence })

/** Plays a prepared run, judges it, and builds its report. The journal is written to `out` during the run. */
export const executeRun = async (prepared: PreparedRun, execution: RunExecution) => {
  const { judgedBy, ...played } = await playPrepared(prepared, execution)
  return { ...played, report: reportOf(played.evidence, played.crashes.length > 0, judgedBy) }
}
