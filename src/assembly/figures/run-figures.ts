import { diagnosisInWords } from '../../checks/framework/diagnosis-in-words.js'
import type { Evidence } from '../../evidence/evidence.js'
import { isLate, type Ledger } from '../../evidence/ledger.js'
import { witnessText } from '../../kit/witness.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { mostAdmitted } from '../../oracle/most-admitted.js'
import { burstRows, shownBreach } from '../../oracle/shown-breach.js'
import type { LoadRow, QuotaRow } from '../../report/model.js'
import { latencyFromPlanned, latencyFromSent, type Percentiles } from '../../wire/load/latency.js'
import { behaviourOf } from './backoff-figures.js'
import { drawnBreach } from './quota-breach.js'
import { quotaState } from './quota-state.js'
import { recoveryOf } from './recovery.js'
import { outcomeNames } from './timelines.js'
import { type AskedStretch, worstStretches } from './worst-stretches.js'

type Counts = QuotaRow['history']

/** Counts outcomes over the part of a key's history that `within` picks. */
const countsOf = ({ history, record }: JudgedKey, within: (index: number) => boolean): Counts => {
  const counts = { sent: 0, admitted: 0, refused: 0, unknown: 0 }
  for (let i = 0; i < record.size; i += 1) {
    if (!within(i)) continue
    counts.sent += 1
    counts[outcomeNames[history.outcome[i]]] += 1
  }
  return counts
}

/** Counts the burst on a fresh window, with the opener before it; everything on the key where there was no burst. */
const burstOf = (evidence: Evidence, key: JudgedKey): Counts => {
  const burst = new Set(burstRows(evidence, key))
  return countsOf(key, burst.size === 0 ? () => true : (i) => burst.has(i))
}

const refutationsOf = ({ judgement, record }: JudgedKey): QuotaRow['refutations'] =>
  Object.fromEntries(
    Object.entries(judgement?.explanations ?? {}).flatMap(([model, each]) =>
      each.verdict === 'explained'
        ? []
        : [
            [
              model,
              {
                reason: each.reason,
                overAdmitted: Math.ceil(each.overAdmitted),
                earlyRefused: Math.ceil(each.earlyRefused),
                witnesses: each.witnesses.map((i) => witnessText(record.witness(i))),
              },
            ],
          ],
    ),
  )

/** A row for every key that a load was put on, or was to be. */
export const quotaRows = (evidence: Evidence): QuotaRow[] =>
  judgedKeys(evidence).flatMap((key) => {
    const { judgement, diagnosis, plan, window, agreed } = key
    const state = quotaState(evidence, key)
    if (!state) return []
    const breach = shownBreach(evidence, key)
    return [
      {
        plan,
        window: evidence.view?.quota.id ?? 'minute',
        limit: window.quota.limit,
        windowMs: window.minuteMs,
        ...(agreed.burst !== undefined && { bucket: { refill: agreed.limit, everyMs: agreed.windowMs } }),
        ...burstOf(evidence, key),
        history: countsOf(key, () => true),
        ...state,
        models: Object.fromEntries(
          Object.entries(judgement?.explanations ?? {}).map(([model, each]) => [model, each.verdict]),
        ),
        refutations: refutationsOf(key),
        diagnosis: diagnosis ? diagnosisInWords(diagnosis.id, diagnosis.facts) : null,
        ...(breach && { breach: drawnBreach(key, breach, burstRows(evidence, key)) }),
        otherSpellings: evidence.exchanges.some((x) => x.key === key.name && x.intent.spelling !== undefined),
        worstMinute: mostAdmitted(key),
        recovery: recoveryOf(key),
      },
    ]
  })

const percentiles = (each: Percentiles | null) => each && { p50: each.p50, p90: each.p90, p99: each.p99, max: each.max }

const byOutcome = ({ admitted, refused }: { admitted: Percentiles | null; refused: Percentiles | null }) => ({
  admitted: percentiles(admitted),
  refused: percentiles(refused),
})

const loadRow = (evidence: Evidence, ledger: Ledger, asked: readonly AskedStretch[]): LoadRow => {
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

/** A row for every load, with the worst stretch for each figure that a gate asks for. */
export const loadRows = (evidence: Evidence, asked: readonly AskedStretch[]): LoadRow[] =>
  evidence.ledgers
    .filter(({ head }) => evidence.view === undefined || head.quota === evidence.view.quota.id)
    .map((ledger) => loadRow(evidence, ledger, asked))
