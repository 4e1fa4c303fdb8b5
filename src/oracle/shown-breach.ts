import type { QuotaWindow } from '../contract/plans.js'
import { countUpTo, placesOf } from '../kit/numbers.js'
import { outcomes } from '../readings/history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { leastIn, mostIn, type Passage, passageOf } from '../readings/passage.js'
import type { BrokenSide } from './judge-quota.js'
import type { JudgedKey } from './judged-keys.js'

/** A key of a run, or a client in logs, with what is reported about how its quota was kept. */
export interface ToldKey extends Pick<JudgedKey, 'plan' | 'agreed' | 'window' | 'history' | 'judgement' | 'diagnosis'> {
  readonly record: Pick<KeyRecord, 'size' | 'sentMs' | 'receivedMs' | 'cost' | 'witness'>
}

type Broken = Pick<ToldKey, 'record' | 'history' | 'agreed' | 'judgement'>

/** A stretch of time with what was certainly admitted in it, in units of the quota: sent and answered within it. */
interface Stretch {
  readonly fromMs: number
  readonly toMs: number
  readonly admitted: number
}

export const rowsWith = ({ record, history }: Broken, outcome: number): number[] =>
  placesOf(record.size, (i) => history.outcome[i] === outcome)

/** What a quota holds at most, and how long it takes to be full again: a bucket of 40 with 2 a second, 40 in 20 s. */
export const wholeQuota = ({ limit, windowMs, burst = limit }: QuotaWindow) => ({
  units: burst,
  ms: (windowMs * burst) / limit,
})

const unitsOf = ({ record: { cost } }: Broken, i: number): number => cost?.[i] ?? 1

export const unitsIn = (key: Broken, rows: readonly number[]): number =>
  rows.reduce((sum, i) => sum + unitsOf(key, i), 0)

const stretchOf = (key: Broken, fromMs: number, toMs: number): Stretch => {
  const { sentMs, receivedMs } = key.record
  const within = rowsWith(key, outcomes.admitted).filter((i) => sentMs[i] >= fromMs && receivedMs[i] <= toMs)
  return { fromMs, toMs, admitted: unitsIn(key, within) }
}

/** From the first of some requests to the last answer to the admitted ones. */
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

/** The stretches between the witnesses against each model: these show the smallest excess in the shortest time. */
const aroundWitnesses = (key: Broken): Stretch[] =>
  Object.values(key.judgement?.explanations ?? {}).flatMap((each) =>
    each.verdict === 'refuted' && each.overAdmitted > 0 ? (around(key, each.witnesses) ?? []) : [],
  )

/** The admitted requests, each as often as it costs. */
const admissionsOf = (key: Broken): Passage =>
  passageOf(
    key.record,
    rowsWith(key, outcomes.admitted).flatMap((i) => Array<number>(unitsOf(key, i)).fill(i)),
  )

/** The span, as long as a whole quota takes to come back, with the most admissions. */
const fullest = (key: Broken): Stretch[] => {
  const passage = admissionsOf(key)
  const { received } = passage
  const { ms: wholeMs } = wholeQuota(key.agreed)
  let best: Stretch | undefined
  for (const fromMs of passage.sent) {
    const untilMs = fromMs + wholeMs
    const admitted = leastIn(passage, fromMs, untilMs)
    if (admitted > (best?.admitted ?? 0)) best = { fromMs, toMs: received[countUpTo(received, untilMs) - 1], admitted }
  }
  return best ? [best] : []
}

/** The most that is plainly allowed in such a stretch: a bucket refills meanwhile, a window does not. */
const plainlyAllowed = ({ agreed: { limit, windowMs, burst } }: Broken, { fromMs, toMs }: Stretch): number =>
  burst === undefined ? limit : burst + (limit * (toMs - fromMs)) / windowMs

/** Two adjacent windows let through twice the limit: a larger excess needs no assumption about an invisible edge. */
const windowsThatMeet = 2

/**
 * The burst if it shows too many; else the fullest span, if it exceeds what two adjacent windows let through; else the
 * smallest excess that witnesses show; else the fullest span.
 */
const overAdmission = (key: Broken, burst: readonly number[]): Stretch | undefined => {
  const shows = (each: Stretch) =>
    each.admitted > plainlyAllowed(key, each) && each.toMs - each.fromMs <= wholeQuota(key.agreed).ms
  const full = fullest(key)
  const plain = full.filter((each) => each.admitted > windowsThatMeet * plainlyAllowed(key, each))
  const bursts = [burst, burst.slice(1)].flatMap((rows) => around(key, rows) ?? [])
  const named = aroundWitnesses(key).toSorted((a, b) => a.admitted - b.admitted)
  return [...bursts, ...plain, ...named, ...full].find(shows)
}

/** The span before the refusal that has the fewest countable requests; a whole quota comes back in that span. */
const earlyRefusal = (key: Broken): Stretch | undefined => {
  const { sentMs, receivedMs } = key.record
  const whole = wholeQuota(key.agreed)
  const passage = admissionsOf(key)
  const [least] = rowsWith(key, outcomes.refused)
    .map((refused) => {
      const [fromMs, toMs] = [sentMs[refused] - whole.ms, receivedMs[refused]]
      const units = mostIn(passage, fromMs, toMs)
      return { fromMs, toMs, admitted: units, asked: units + unitsOf(key, refused) }
    })
    .toSorted((a, b) => a.asked - b.asked)
  if (!least || least.asked > whole.units) return undefined
  const { asked: _, ...stretch } = least
  return stretch
}

/** What best shows that a quota is broken, within one window. */
export interface ShownBreach extends Stretch {
  readonly kind: BrokenSide
  /** For an over-admission, how many were certainly admitted within it; for an early refusal, at most how many. */
  readonly admitted: number
}

/**
 * The stretch that best shows what is wrong with a broken quota; `undefined` if the quota is not broken, or if no single
 * window shows it.
 *
 * @param burst the rows of a burst on a fresh window, which people understand best; empty if there is none.
 */
export const shownBreach = (key: Broken, burst: readonly number[]): ShownBreach | undefined => {
  const { judgement } = key
  if (judgement?.verdict !== 'fail') return undefined
  const { side: kind } = judgement
  const stretch = kind === 'over-admission' ? overAdmission(key, burst) : earlyRefusal(key)
  return stretch && { kind, ...stretch }
}
