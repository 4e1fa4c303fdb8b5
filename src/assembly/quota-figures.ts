import { certifiedClauses } from '../certificate/named-defect.js'
import { diagnosisInWords, doubtInWords, obstacleInWords } from '../checks/framework/in-words.js'
import { hiddenInWords, isTested, mayHide } from '../checks/framework/judged-clause.js'
import {
  burstRows,
  isLoaded,
  isLoadProfile,
  loadProfiles,
  noRoomFor,
  noRoomInWords,
} from '../checks/framework/loads.js'
import { isAgreedPlan } from '../contract/petstore/petstore.js'
import type { Evidence } from '../evidence/evidence.js'
import { isLate, type Ledger } from '../evidence/ledger.js'
import { placesOf } from '../kit/numbers.js'
import { witnessText } from '../kit/witness.js'
import { mostAdmitted } from '../oracle/came-back-meanwhile.js'
import { type JudgedKey, judgedKeys } from '../oracle/judged-keys.js'
import { rowsWith, type ShownBreach, shownBreach, type ToldKey, unitsIn, wholeQuota } from '../oracle/shown-breach.js'
import { admittedWhileSpent } from '../oracle/spent-windows.js'
import { type History, outcomes } from '../readings/history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { viewOf } from '../readings/quota-views.js'
import type { Breach, LoadRow, QuotaRow } from '../report/model.js'
import { latencyFromPlanned, latencyFromSent, type percentilesMs } from '../wire/load/latency.js'
import { behaviourOf } from './client-figures.js'
import { type askedStretches, worstStretches } from './load-figures.js'
import { outcomeNames } from './timelines.js'

type QuotaState = Pick<QuotaRow, 'verdict' | 'reason'>

/** Whether the run had to load the key: the scenario has a load, and this is the first key of its plan. */
const wasToBeLoaded = ({ run }: Evidence, { name, plan }: JudgedKey): boolean =>
  run.keys.find((each) => each.plan === plan)?.name === name && run.probes.some(({ probe }) => isLoadProfile(probe))

/** Why no load tested a key's limit: its day had no room, or the profiles did not complete. */
const untested = (evidence: Evidence, { name, judgement }: JudgedKey): QuotaState => {
  const lacking = noRoomFor(evidence, loadProfiles, { key: name, cut: true })
  if (lacking) return { verdict: 'inconclusive', reason: noRoomInWords(lacking) }
  if (judgement?.verdict === 'inconclusive' && isLoaded(evidence, name))
    return { verdict: 'inconclusive', reason: doubtInWords[judgement.reason] }
  const ends = evidence.probes.filter(({ probe, key }) => isLoadProfile(probe) && (key ?? name) === name)
  const open = ends.find(({ end }) => end === 'failed' || end === 'interrupted')
  const skipped = ends.find(({ end }) => end === 'skipped')
  if (skipped && !open) return { verdict: 'not-tested', reason: obstacleInWords(skipped.reason) }
  return { verdict: 'inconclusive', reason: `no load was put on it: ${obstacleInWords(open?.reason ?? 'not played')}` }
}

/** The verdict on a plan's minute; undefined if the key got no load. Single requests never prove a limit. */
const quotaState = (evidence: Evidence, key: JudgedKey): QuotaState | undefined => {
  const { judgement } = key
  if (judgement?.verdict === 'fail' || admittedWhileSpent(key, viewOf(evidence).quota)) return { verdict: 'fail' }
  if (wasToBeLoaded(evidence, key) && !isTested(evidence, key)) return untested(evidence, key)
  if (!judgement) return undefined
  if (judgement.verdict === 'inconclusive') return { verdict: 'inconclusive', reason: doubtInWords[judgement.reason] }
  if (!wasToBeLoaded(evidence, key)) return { verdict: 'pass' }
  const clauses = certifiedClauses.filter((clause) => (clause === 'QUOTA-5') === isAgreedPlan(evidence.run, key.plan))
  const hidden = clauses.map((clause) => mayHide(evidence, clause, [key])).find((each) => each !== undefined)
  return hidden ? { verdict: 'inconclusive', reason: hiddenInWords(hidden.facts) } : { verdict: 'pass' }
}

/** The most answers in a picture of a breach: the first, the last, those around the limit, and some in between. */
const mostAnswers = 300

/** How much of its own length is added after a stretch: what came next belongs in the picture. */
const shownAfter = 0.3

const thinned = (answers: Breach['answers'], limit: number): Breach['answers'] => {
  const every = Math.ceil(answers.length / mostAnswers)
  const isOver = (at: number) => (answers[at]?.[2] ?? 0) > limit
  const isKept = (_: Breach['answers'][number], at: number) =>
    at % every === 0 || at === answers.length - 1 || isOver(at) !== isOver(at - 1) || isOver(at) !== isOver(at + 1)
  return answers.filter(isKept)
}

/** The answers at which the limit is crossed or, for an early refusal, that refusal. */
const crossing = ({ record, agreed }: ToldKey, { kind, toMs }: ShownBreach, rows: readonly CountedRow[]) => {
  const admitted = rows.filter(({ outcome }) => outcome === 'admitted')
  const within = ({ count }: CountedRow) => count <= wholeQuota(agreed).units
  const shown =
    kind === 'over-admission'
      ? [...admitted.filter(within).slice(-1), ...admitted.filter((row) => !within(row)).slice(0, 1)]
      : rows.filter(({ i, outcome }) => outcome === 'refused' && record.receivedMs[i] === toMs)
  return shown.map(({ i, outcome, count }) => ({
    id: witnessText(record.witness(i)),
    receivedMs: record.receivedMs[i],
    outcome,
    admitted: count,
  }))
}

interface CountedRow {
  readonly i: number
  readonly outcome: 'admitted' | 'refused'
  /** How much was admitted in the stretch by then, in units of the quota. */
  readonly count: number
}

/** A breach with the answers of its stretch in order, and a few after it; `burst` is the rows of the key's burst. */
export const drawnBreach = (key: ToldKey, shown: ShownBreach, burst: readonly number[]): Breach => {
  const { kind, fromMs, toMs, admitted } = shown
  const { sentMs, receivedMs } = key.record
  const admittedIn = rowsWith(key, outcomes.admitted).filter((i) => receivedMs[i] > fromMs && receivedMs[i] <= toMs)
  const firstMs = admittedIn.reduce((first, i) => Math.min(first, receivedMs[i]), toMs)
  const until = toMs + (toMs - (kind === 'over-admission' ? fromMs : firstMs)) * shownAfter
  let count = 0
  const rows = [...rowsWith(key, outcomes.admitted), ...rowsWith(key, outcomes.refused)]
    .filter((i) => (kind === 'over-admission' ? sentMs[i] >= fromMs : receivedMs[i] > fromMs) && receivedMs[i] <= until)
    .sort((a, b) => receivedMs[a] - receivedMs[b])
    .map((i): CountedRow => {
      const isAdmitted = key.history.outcome[i] === outcomes.admitted
      if (isAdmitted) count += unitsIn(key, [i])
      return { i, outcome: isAdmitted ? 'admitted' : 'refused', count }
    })
  const refused = rows.filter(({ i, outcome }) => outcome === 'refused' && receivedMs[i] <= toMs).length
  const ofBurst = new Set(burst)
  const answers = rows.map((each): Breach['answers'][number] => [receivedMs[each.i], each.outcome, each.count])
  const shownBy = crossing(key, shown, rows)
  return {
    kind,
    fromMs,
    toMs,
    admitted,
    refused,
    answers: thinned(answers, wholeQuota(key.agreed).units),
    shownBy,
    isBurst: rows.some(({ i }) => ofBurst.has(i)) && rows.every(({ i }) => receivedMs[i] > toMs || ofBurst.has(i)),
  }
}

/**
 * How long a key was still refused after the earliest moment that a Retry-After had named, with nothing admitted in between:
 * named 10 s, refused at 10.2 s, admitted at 11 s gives 200 ms. Null if nothing was sent then.
 */
export const latenessMs = (
  record: Pick<KeyRecord, 'sentMs' | 'receivedMs' | 'waitMs'>,
  { size, outcome }: Pick<History, 'size' | 'outcome'>,
): number | null => {
  let worst: number | null = null
  let promisedMs = Number.POSITIVE_INFINITY
  let busyUntilMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < size; i += 1) {
    const kept = record.sentMs[i] >= promisedMs
    if (outcome[i] === outcomes.refused) {
      if (kept) worst = Math.max(worst ?? 0, record.sentMs[i] - promisedMs)
      const promise = record.receivedMs[i] + record.waitMs[i]
      if (record.sentMs[i] > busyUntilMs && promise < promisedMs) promisedMs = promise
    } else if (outcome[i] === outcomes.admitted || outcome[i] === outcomes.unknown) {
      if (kept && outcome[i] === outcomes.admitted) worst = Math.max(worst ?? 0, 0)
      promisedMs = Number.POSITIVE_INFINITY
      const done = record.receivedMs[i]
      busyUntilMs = Math.max(busyUntilMs, Number.isNaN(done) ? Number.POSITIVE_INFINITY : done)
    }
  }
  return worst === null ? null : Math.round(worst)
}

/** How the key recovered after its last 429 of the run: when it was next admitted, and what that 429 had named. */
const recoveryOf = ({ record, history, clock }: JudgedKey): QuotaRow['recovery'] => {
  const refusals = placesOf(record.size, (i) => record.status[i] === 429)
  const last = refusals.reduce((best, i) => (record.receivedMs[i] > record.receivedMs[best] ? i : best), refusals[0])
  if (last === undefined) return null
  const since = record.receivedMs[last]
  const next = record.sentMs.findIndex((ms, i) => ms >= since && history.outcome[i] === outcomes.admitted)
  const afterMs = next < 0 ? null : Math.round(record.sentMs[next] - since)
  const retryAfterMs = Number.isNaN(record.waitMs[last]) ? null : Math.round(record.waitMs[last])
  const resetAfterMs = Number.isNaN(record.reset[last])
    ? null
    : Math.round(record.reset[last] * 1000 - clock.to - since)
  return { afterMs, retryAfterMs, resetAfterMs, lateMs: latenessMs(record, history) }
}

type Counts = QuotaRow['history']

/** Counts outcomes over the part of a key's history that `within` selects. */
const countsOf = ({ history, record }: JudgedKey, within: (index: number) => boolean): Counts => {
  const counts = { sent: 0, admitted: 0, refused: 0, unknown: 0 }
  for (let i = 0; i < record.size; i += 1) {
    if (!within(i)) continue
    counts.sent += 1
    counts[outcomeNames[history.outcome[i]]] += 1
  }
  return counts
}

const refutationsOf = ({ judgement, record }: ToldKey): NonNullable<QuotaRow['refutations']> => {
  const told: QuotaRow['refutations'] = {}
  for (const [model, each] of Object.entries(judgement?.explanations ?? {})) {
    if (each.verdict === 'explained') continue
    told[model] = {
      reason: each.reason,
      overAdmitted: Math.ceil(each.overAdmitted),
      earlyRefused: Math.ceil(each.earlyRefused),
      witnesses: each.witnesses.map((i) => witnessText(record.witness(i))),
    }
  }
  return told
}

/** The oracle's results for a key's quota, with the given counts and the picture of its breach; `burst` is its burst's rows. */
export const judgedFigures = <C extends Pick<QuotaRow, 'history'> & Counts & QuotaState>(
  key: ToldKey,
  quota: string,
  burst: readonly number[],
  counted: C,
) => {
  const { judgement, diagnosis, plan, agreed, window } = key
  const breach = shownBreach(key, burst)
  const explanations = Object.entries(judgement?.explanations ?? {})
  return {
    plan,
    window: quota,
    limit: window.limit,
    windowMs: window.windowMs,
    ...(agreed.burst !== undefined && { bucket: { refill: agreed.limit, everyMs: agreed.windowMs } }),
    ...counted,
    models: Object.fromEntries(explanations.map(([model, each]) => [model, each.verdict])),
    refutations: refutationsOf(key),
    diagnosis: diagnosis ? diagnosisInWords(diagnosis.id, diagnosis.facts) : null,
    ...(breach && { breach: drawnBreach(key, breach, burst) }),
  }
}

/** A row for every key that got a load, or should have. */
export const quotaRows = (evidence: Evidence): QuotaRow[] =>
  judgedKeys(evidence).flatMap((key) => {
    const state = quotaState(evidence, key)
    if (!state) return []
    const burst = burstRows(evidence, key)
    const ofBurst = new Set(burst)
    return {
      ...judgedFigures(key, viewOf(evidence).quota.id, burst, {
        // The burst on a fresh window, with the opener before it; everything on the key if there was no burst.
        ...countsOf(key, (i) => burst.length === 0 || ofBurst.has(i)),
        history: countsOf(key, () => true),
        ...state,
      }),
      otherSpellings: evidence.exchanges.some((x) => x.key === key.name && x.intent.spelling !== undefined),
      worstMinute: mostAdmitted(key),
      recovery: recoveryOf(key),
    }
  })

/** Percentiles in milliseconds, exact to a microsecond or to three digits, and the number of durations. */
type Percentiles = NonNullable<ReturnType<typeof percentilesMs>>

const percentiles = (each: Percentiles | null) => each && { p50: each.p50, p90: each.p90, p99: each.p99, max: each.max }

const byOutcome = ({ admitted, refused }: { admitted: Percentiles | null; refused: Percentiles | null }) => ({
  admitted: percentiles(admitted),
  refused: percentiles(refused),
})

const loadRow = (evidence: Evidence, ledger: Ledger, asked: ReturnType<typeof askedStretches>): LoadRow => {
  const { head, rows } = ledger
  const behaviour = behaviourOf(ledger)
  return {
    profile: head.probe,
    plan: evidence.run.keys.find(({ name }) => name === head.key)?.plan ?? 'none',
    ...(behaviour && { behaviour }),
    ...head.counts,
    connections: new Set(rows.connection).size,
    startedAt: rows.length > 0 ? rows.sentUs[0] / 1000 : 0,
    endedAt: rows.length > 0 ? rows.sentUs[rows.length - 1] / 1000 : 0,
    latencyMs: byOutcome(latencyFromSent(rows)),
    latencyFromPlannedMs: head.scheduleErrorMs ? byOutcome(latencyFromPlanned(rows)) : null,
    scheduleErrorMs: head.scheduleErrorMs,
    late: isLate(head),
    stoodStillMs: head.stoodStillMs,
    problem: head.problem,
    worstStretches: worstStretches(rows, asked),
  }
}

/** A row for every load, with the worst stretch for each figure that a gate bounds. */
export const loadRows = (evidence: Evidence, asked: ReturnType<typeof askedStretches>): LoadRow[] =>
  evidence.ledgers
    .filter(({ head }) => head.quota === undefined || head.quota === viewOf(evidence).quota.id)
    .map((ledger) => loadRow(evidence, ledger, asked))
