import { witnessText } from '../../kit/witness.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'
import { rowsWith, type ShownBreach, unitsIn, wholeQuota } from '../../oracle/shown-breach.js'
import { outcomes } from '../../readings/history.js'
import type { Breach } from '../../report/model.js'

/** The most answers that a picture of a breach holds: the first, the last, those about the limit, and some between. */
const mostAnswers = 300

/** How much of its own length is shown after a stretch: what came next belongs to the picture. */
const shownAfter = 0.3

const thinned = (answers: Breach['answers'], limit: number): Breach['answers'] => {
  const every = Math.ceil(answers.length / mostAnswers)
  const isOver = (at: number) => (answers[at]?.[2] ?? 0) > limit
  const isKept = (_: Breach['answers'][number], at: number) =>
    at % every === 0 || at === answers.length - 1 || isOver(at) !== isOver(at - 1) || isOver(at) !== isOver(at + 1)
  return answers.filter(isKept)
}

/** The answers at which the limit is crossed, or the refusal that came too early, where it has one. */
const crossing = ({ record, agreed }: JudgedKey, { kind, toMs }: ShownBreach, rows: readonly CountedRow[]) => {
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
  /** Admitted in the stretch by then, in units of the quota. */
  readonly count: number
}

/** A breach with the answers of its stretch as they came, and a few after it; `burst` are the rows of the key's burst. */
export const drawnBreach = (key: JudgedKey, shown: ShownBreach, burst: readonly number[]): Breach => {
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
