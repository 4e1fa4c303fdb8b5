import type { Evidence } from '../evidence/evidence.js'
import { countBelow } from './counting/sorted-counts.js'
import { outcomes } from './history.js'
import type { JudgedKey } from './judged-keys.js'

type Broken = Pick<JudgedKey, 'name' | 'record' | 'history' | 'agreed' | 'judgement'>

/** A stretch of time with what was certainly admitted in it: sent and answered within. */
interface Stretch {
  readonly fromMs: number
  readonly toMs: number
  readonly admitted: number
}

/** The rows of a key with that outcome, in order of sending. */
export const rowsWith = ({ record, history }: Broken, outcome: number): number[] =>
  Array.from({ length: record.size }, (_, i) => i).filter((i) => history.outcome[i] === outcome)

const stretchOf = (key: Broken, fromMs: number, toMs: number): Stretch => {
  const { sentMs, receivedMs } = key.record
  const within = rowsWith(key, outcomes.admitted).filter((i) => sentMs[i] >= fromMs && receivedMs[i] <= toMs)
  return { fromMs, toMs, admitted: within.length }
}

/** From the first of some requests to the last answer to those that were admitted. */
const around = (key: Broken, rows: readonly number[]): Stretch | undefined => {
  const { sentMs, receivedMs } = key.record
  const ends = rows.filter((i) => key.history.outcome[i] === outcomes.admitted).map((i) => receivedMs[i])
  if (ends.length === 0) return undefined
  const least = rows.reduce((first, i) => Math.min(first, sentMs[i]), Number.POSITIVE_INFINITY)
  return stretchOf(
    key,
    least,
    ends.reduce((last, each) => Math.max(last, each), 0),
  )
}

/** The stretches between the witnesses against each model: there the fewest too many stand in the shortest time. */
const aroundWitnesses = (key: Broken): Stretch[] =>
  Object.values(key.judgement?.explanations ?? {}).flatMap((each) =>
    each.verdict === 'refuted' && each.overAdmitted > 0 ? (around(key, each.witnesses) ?? []) : [],
  )

/** The span of one window in which most was admitted. */
const fullest = (key: Broken): Stretch[] => {
  const { sentMs, receivedMs } = key.record
  const admitted = rowsWith(key, outcomes.admitted)
  const sent = admitted.map((i) => sentMs[i])
  const received = admitted.map((i) => receivedMs[i]).sort((a, b) => a - b)
  let best: Stretch | undefined
  let done = 0
  sent.forEach((fromMs, before) => {
    while (done < received.length && (received[done] ?? 0) <= fromMs + key.agreed.windowMs) done += 1
    if (done - before > (best?.admitted ?? 0))
      best = { fromMs, toMs: received[done - 1] ?? fromMs, admitted: done - before }
  })
  return best ? [best] : []
}

/** The most that is plainly allowed within a window, whichever way it is counted. */
const plainlyAllowed = ({ agreed: { limit, burst = limit } }: Broken): number => Math.max(limit, burst)

/** The burst where it shows too many, else the smallest excess that a witness shows, else the fullest window. */
const overAdmission = (key: Broken, burst: readonly number[]): Stretch | undefined => {
  const shows = ({ fromMs, toMs, admitted }: Stretch) =>
    admitted > plainlyAllowed(key) && toMs - fromMs <= key.agreed.windowMs
  const bursts = [burst, burst.slice(1)].flatMap((rows) => around(key, rows) ?? [])
  const named = aroundWitnesses(key).toSorted((a, b) => a.admitted - b.admitted)
  return [...bursts, ...named, ...fullest(key)].find(shows)
}

/** The window before the refusal for which the fewest can have been counted. */
const earlyRefusal = (key: Broken): Stretch | undefined => {
  const { sentMs, receivedMs } = key.record
  const admitted = rowsWith(key, outcomes.admitted)
  const sent = Float64Array.from(admitted, (i) => sentMs[i])
  const received = Float64Array.from(admitted, (i) => receivedMs[i]).sort()
  const least = rowsWith(key, outcomes.refused)
    .map((refused): Stretch => {
      const [fromMs, toMs] = [sentMs[refused] - key.agreed.windowMs, receivedMs[refused]]
      // Whatever was answered before the stretch had been sent before it too.
      return { fromMs, toMs, admitted: countBelow(sent, toMs) - countBelow(received, fromMs) }
    })
    .reduce<Stretch | undefined>((best, each) => (best && best.admitted <= each.admitted ? best : each), undefined)
  return least && least.admitted < key.agreed.limit ? least : undefined
}

/** What shows best that a quota is broken, within one window. */
export interface ShownBreach {
  readonly kind: 'over-admission' | 'early-refusal'
  readonly fromMs: number
  readonly toMs: number
  /** Certainly admitted within it, of an over-admission; at the most admitted in it, of an early refusal. */
  readonly admitted: number
}

/** The rows of the burst on a fresh window, with the opener before it; none where no burst was played. */
export const burstRows = ({ ledgers, exchanges }: Evidence, { name, record }: Broken): number[] => {
  const ledger = ledgers.find(({ head }) => head.key === name && head.probe === 'burst')
  if (!ledger || ledger.rows.length === 0) return []
  const firstMs = ledger.rows.sentUs[0] / 1000
  const opener = exchanges.findLast((x) => x.key === name && x.step === 'opener' && x.sentAt < firstMs)
  return Array.from({ length: record.size }, (_, i) => i).filter((i) => {
    const witness = record.witness(i)
    return 'id' in witness ? witness.id === opener?.id : witness.ledger === ledger.head.id
  })
}

/**
 * The stretch of a broken quota that shows best what is wrong; `undefined` where the quota is not broken, where requests
 * cost different amounts, or where no single window shows it.
 */
export const shownBreach = (evidence: Evidence, key: Broken): ShownBreach | undefined => {
  const { judgement, record } = key
  if (judgement?.verdict !== 'fail' || record.cost !== undefined) return undefined
  const kind = judgement.clause === 'QUOTA-1' ? 'over-admission' : 'early-refusal'
  const stretch = kind === 'over-admission' ? overAdmission(key, burstRows(evidence, key)) : earlyRefusal(key)
  return stretch && { kind, ...stretch }
}
