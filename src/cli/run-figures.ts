import type { Evidence } from '../evidence/evidence.js'
import type { Ledger } from '../evidence/ledger.js'
import { outcomes } from '../limits/history.js'
import { type JudgedKey, judgedKeys } from '../limits/judged-keys.js'
import { mostAdmitted } from '../limits/most-admitted.js'
import { latencyFromPlanned, latencyFromSent, type Percentiles } from '../load/latency.js'
import type { LoadRow, QuotaRow, Timeline } from '../report/model.js'
import { diagnosisInWords } from '../report/wording.js'
import { recoveryOf } from './recovery.js'
import { type AskedStretch, worstStretches } from './worst-stretches.js'

type Counts = QuotaRow['history']

const outcomeNames = ['admitted', 'refused', 'unknown', 'refused'] as const

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

/** The burst on a fresh window: its ledger, and the opener that went just before it. */
const burstOf = (evidence: Evidence, key: JudgedKey): Counts => {
  const ledger = evidence.ledgers.find(({ head }) => head.key === key.name && head.probe === 'burst')
  if (!ledger || ledger.rows.length === 0) return { sent: 0, admitted: 0, refused: 0, unknown: 0 }
  const firstMs = ledger.rows.sentUs[0] / 1000
  const opener = evidence.exchanges.findLast((x) => x.key === key.name && x.step === 'opener' && x.sentAt < firstMs)
  const prefix = `${ledger.head.id}#`
  return countsOf(key, (i) => {
    const witness = key.record.witness(i)
    return witness === opener?.id || witness.startsWith(prefix)
  })
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
                witnesses: each.witnesses.map((i) => record.witness(i)),
              },
            ],
          ],
    ),
  )

/** A row for every key that a load was put on. */
export const quotaRows = (evidence: Evidence): QuotaRow[] =>
  judgedKeys(evidence).flatMap((key) => {
    const { judgement, diagnosis, plan, window } = key
    if (!judgement) return []
    return [
      {
        plan,
        window: 'minute' as const,
        limit: window.quota.minute,
        windowMs: window.minuteMs,
        ...burstOf(evidence, key),
        history: countsOf(key, () => true),
        verdict: judgement.verdict,
        models: Object.fromEntries(
          Object.entries(judgement.explanations).map(([model, each]) => [model, each.verdict]),
        ),
        refutations: refutationsOf(key),
        diagnosis: diagnosis ? diagnosisInWords(diagnosis.id, diagnosis.facts) : null,
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

const loadRow = (evidence: Evidence, { head, rows }: Ledger, asked: readonly AskedStretch[]): LoadRow => ({
  profile: head.probe,
  plan: evidence.run.keys.find(({ name }) => name === head.key)?.plan ?? 'none',
  ...head.counts,
  connections: new Set(rows.connection).size,
  startedAt: rows.length > 0 ? rows.sentUs[0] / 1000 : 0,
  endedAt: rows.length > 0 ? rows.sentUs[rows.length - 1] / 1000 : 0,
  latencyMs: byOutcome(latencyFromSent(rows)),
  latencyFromPlannedMs: head.scheduleErrorMs ? byOutcome(latencyFromPlanned(rows)) : null,
  scheduleErrorMs: head.scheduleErrorMs,
  stoodStillMs: head.stoodStillMs,
  problem: head.problem,
  worstStretches: worstStretches(rows, asked),
})

/** A row for every load; what gates ask for in every stretch of it is measured too. */
export const loadRows = (evidence: Evidence, asked: readonly AskedStretch[]): LoadRow[] =>
  evidence.ledgers.map((ledger) => loadRow(evidence, ledger, asked))

/** Points beyond this many are thinned out. */
const mostPoints = 1_200

/** Keeps the first and the last of each outcome in every slice of time, and the extremes of Remaining. */
const thinned = (key: JudgedKey): number[] => {
  const { record, history } = key
  const all = Array.from({ length: record.size }, (_, i) => i)
  if (record.size <= mostPoints) return all
  const [first, last] = [record.sentMs[0], record.sentMs[record.size - 1]]
  const slice = (last - first) / (mostPoints / 8) || 1
  const kept = new Map<string, number>()
  for (const i of all) {
    const at = `${Math.floor((record.sentMs[i] - first) / slice)} ${history.outcome[i]}`
    if (!kept.has(`${at} first`)) kept.set(`${at} first`, i)
    kept.set(`${at} last`, i)
    const low = kept.get(`${at} low`)
    if (low === undefined || record.remaining[i] < record.remaining[low]) kept.set(`${at} low`, i)
  }
  return [...new Set(kept.values())].sort((a, b) => a - b)
}

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

const admissionsOf = ({ record, history }: JudgedKey): [number, number][] => {
  const received = record.receivedMs.filter((_, i) => history.outcome[i] === outcomes.admitted).sort()
  const step = Math.max(1, Math.floor(received.length / mostPoints))
  return Array.from(received, (ms, i): [number, number] => [ms, i + 1]).filter(
    (_, i) => i % step === 0 || i === received.length - 1,
  )
}

const mostMoments = 40

/** The story of every key that a load was put on. */
export const timelines = (evidence: Evidence): Timeline[] =>
  judgedKeys(evidence)
    .filter(({ judgement }) => judgement !== null)
    .map((key) => {
      const { record, history, clock, window } = key
      const moments = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b).slice(0, mostMoments)
      const picked = thinned(key)
      return {
        plan: key.plan,
        limit: window.quota.minute,
        windowMs: window.minuteMs,
        points: picked.map((i): Timeline['points'][number] => [
          record.sentMs[i],
          numberOrNull(record.receivedMs[i]),
          outcomeNames[history.outcome[i]],
          numberOrNull(record.remaining[i]),
        ]),
        total: record.size,
        admissions: admissionsOf(key),
        resets: moments(
          picked.flatMap((i) => (Number.isNaN(record.reset[i]) ? [] : [Math.round(record.reset[i] * 1000 - clock.to)])),
        ),
        retryMoments: moments(
          picked.flatMap((i) =>
            Number.isNaN(record.waitMs[i]) ? [] : [Math.round((record.receivedMs[i] + record.waitMs[i]) / 100) * 100],
          ),
        ),
      }
    })
