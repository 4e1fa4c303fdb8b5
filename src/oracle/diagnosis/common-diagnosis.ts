import type { QuotaWindow } from '../../contract/plans.js'
import { groupedBy } from '../../kit/grouped-by.js'
import { placesOf } from '../../kit/numbers.js'
import { type History, outcomes } from '../../readings/history.js'
import type { KeyRecord } from '../../readings/key-record.js'
import { closestOf, type QuotaJudgement } from '../judge-quota.js'
import type { Refutation } from '../models/explanation.js'
import { type DefectId, type Diagnosis, type DiagnosisContext, diagnose, sidesOfDefects } from './diagnosis.js'
import { explainsWithLength } from './effective-quota.js'
import { mostNodes } from './node-fits.js'
import { distance } from './window-length.js'

interface Undiagnosed {
  readonly history: History
  readonly window: QuotaWindow
  readonly context: DiagnosisContext
}

/**
 * What the limiter of each key looks like. One limiter serves all plans: a defect that explains every key is reported for all
 * of them, even if another ranks first for a key with little traffic. If none explains all, each key has its own; null where
 * no known defect fits.
 */
export const diagnoseAll = (keys: readonly Undiagnosed[]): readonly (Diagnosis | null)[] => {
  const searches = keys.map(({ history, window, context }) => diagnose(history, window, context))
  const first = searches.map((search) => search.next().value ?? null)
  const agree = first.every((each) => each?.id === first[0]?.id)
  const common = agree ? first : (commonOf(searches.map((search, i) => [first[i] ?? [], ...search].flat())) ?? first)
  return withOneLength(keys, common)
}

/** The defect that is in every list and ranks best overall, as each list's own entry. Null if none is in all. */
const commonOf = (lists: readonly (readonly Diagnosis[])[]): readonly Diagnosis[] | null => {
  const placeOf = (id: DefectId) => (list: readonly Diagnosis[]) => list.findIndex((each) => each.id === id)
  const ranked = (lists[0] ?? [])
    .map(({ id }) => ({ id, places: lists.map(placeOf(id)) }))
    .filter(({ places }) => !places.includes(-1) && !lists.every((list, i) => list[places[i]].saysLittle))
    .map(({ places }) => ({ places, sum: places.reduce((sum, place) => sum + place, 0) }))
  if (ranked.length === 0) return null
  const { places } = ranked.reduce((best, each) => (each.sum < best.sum ? each : best))
  return lists.map((list, i) => list[places[i]])
}

const isOfLength = (each: Diagnosis | null): boolean => each?.id === 'window-shorter' || each?.id === 'window-longer'

/**
 * Gives all keys one window length, if all of them have a wrong one: of the lengths found, the one farthest from the plan's
 * that explains every key. If 45 s was found on Free and 30 s on Pro, and 30 s explains both, it is 30 s.
 */
const withOneLength = (
  keys: readonly Undiagnosed[],
  diagnoses: readonly (Diagnosis | null)[],
): readonly (Diagnosis | null)[] => {
  const ofLength = diagnoses.filter(isOfLength)
  if (ofLength.length < keys.length) return diagnoses
  const saidMs = keys[0]?.window.windowMs
  const windowMs = ofLength
    .map((each) => Number(each?.facts.windowMs))
    .sort((a, b) => distance(b, saidMs) - distance(a, saidMs))
    .find((length) => keys.every(({ history, window }) => explainsWithLength(history, window, length)))
  if (windowMs === undefined) return diagnoses
  const id = windowMs < saidMs ? 'window-shorter' : 'window-longer'
  return diagnoses.map((each) => each && { ...each, id, facts: { windowMs } })
}

type Failure = QuotaJudgement & { readonly verdict: 'fail' }

/** The side that a defect breaks; null if it may be either. */
const sideOf = ({ id, facts }: Diagnosis, { limit }: QuotaWindow): Failure['side'] | null => {
  const side = sidesOfDefects[id]
  if (side !== 'by-limit') return side
  return Number(facts.limit) > limit ? 'over-admission' : 'early-refusal'
}

/** Whether all diagnoses break the same side: say, refusals that count for one key, a longer window for another. */
export const isOneSided = (keys: readonly (readonly [Diagnosis | null, QuotaWindow])[]): boolean => {
  const [first, ...others] = keys.map(([diagnosis, window]) => diagnosis && sideOf(diagnosis, window))
  return Boolean(first) && others.length > 0 && others.every((side) => side === first)
}

/** Defects that leave an admissible limiter with less than the quota, so that it admits nothing beyond it. */
const keepsToLess: ReadonlySet<DefectId> = new Set(['limit-lower-by-one', 'requests-count-twice'])

/**
 * Decides the broken side if the admissible models were refuted for different reasons: the diagnosis decides, since that
 * broken limiter explains everything and no model does. So does a wrong length where a sliding counter comes closest, whose
 * best phase may leave admissions unexplained although the true one refuses early. But if too many admissions alone refuted
 * the closest model, it stays an over-admission, unless this side `isOfAll` keys or the limiter {@link keepsToLess}. Say a
 * fixed window comes closest with one early refusal, a log has four admissions too many, and the diagnosis is
 * `window-shorter`: then too much is admitted.
 */
export const attributed = (
  judgement: Failure,
  diagnosis: Diagnosis | null,
  window: QuotaWindow,
  isOfAll = false,
): Failure => {
  if (!diagnosis) return judgement
  if (!judgement.reasonsDiffer && !(judgement.closest === 'sliding-counter' && isOfLength(diagnosis))) return judgement
  const isDecided = isOfAll || keepsToLess.has(diagnosis.id)
  if (judgement.refutation.reason === 'over-admission' && !isDecided) return judgement
  const side = sideOf(diagnosis, window)
  return side ? breaking(judgement, side) : judgement
}

/**
 * One limiter serves all plans and is broken in one way: keys whose models disagree about the side follow the keys whose
 * models agree, or the majority if none agree. A tie is an over-admission.
 */
export const inAgreement = <K extends { readonly judgement: QuotaJudgement | null }>(keys: readonly K[]): K[] => {
  const broken = keys.flatMap(({ judgement }) => (judgement?.verdict === 'fail' ? [judgement] : []))
  const certain = broken.filter(({ reasonsDiffer }) => !reasonsDiffer)
  const voters = certain.length > 0 ? certain : broken
  const early = voters.filter(({ side }) => side === 'early-refusal').length
  const side = early * 2 > voters.length ? 'early-refusal' : 'over-admission'
  return keys.map((key) =>
    key.judgement?.verdict === 'fail' && key.judgement.reasonsDiffer
      ? { ...key, judgement: breaking(key.judgement, side) }
      : key,
  )
}

const otherReason = { 'over-admission': 'early-refusal', 'early-refusal': 'over-admission' } as const

/** The failure with this side, and the closest model that was refuted for it. */
const breaking = (judgement: Failure, side: Failure['side']): Failure => {
  const fitting = ({ reason }: Refutation) => reason !== otherReason[side]
  if (fitting(judgement.refutation)) return { ...judgement, side }
  const shown = closestOf(judgement.explanations, fitting)
  return shown ? { ...judgement, side, ...shown } : { ...judgement, side }
}

/** How far a doubled count may be off the limit, as a share of it: the minute's refusals may count as well. */
const doubledWithinShare = 0.02
/** The same in requests, for daily limits so small that the share is less. */
const doubledWithinRequests = 2

/** Whether the limit fits if admissions after the minute's first refusal count twice: 400 + 2 x 300 = 1,000. */
const doublesLater = ({ size, outcome }: History, limit: number): boolean => {
  const first = outcome.findIndex((each) => each === outcomes.unknown || each === outcomes.excused)
  if (first === -1) return false
  const admittedIn = (from: number, to: number) =>
    outcome.subarray(from, to).reduce((sum, each) => sum + Number(each === outcomes.admitted), 0)
  const counted = admittedIn(0, first) + 2 * admittedIn(first, size)
  return Math.abs(counted - limit) <= Math.max(doubledWithinRequests, limit * doubledWithinShare)
}

/** What a broken daily limiter looks like. A run sees one day, so there is only the number of admissions to go by. */
export const diagnoseDay = (history: History, { limit }: QuotaWindow): Diagnosis => {
  const count = (outcome: number) => history.outcome.reduce((sum, each) => sum + Number(each === outcome), 0)
  const admitted = count(outcomes.admitted)
  if (count(outcomes.refused) === 0) return { id: 'no-limit', facts: { admitted } }
  if (admitted === limit - 1) return { id: 'limit-lower-by-one', facts: { limit: admitted } }
  if (admitted === limit + 1) return { id: 'limit-higher-by-one', facts: { limit: admitted } }
  if (doublesLater(history, limit)) return { id: 'requests-count-twice', facts: { from: 'minute-refusal' } }
  const nodes = admitted / limit
  if (nodes > 1 && Number.isInteger(nodes)) return { id: 'nodes-count-alone', facts: { nodes, limit: admitted } }
  return { id: 'other-limit', facts: { limit: admitted } }
}

/**
 * At least this share of the values come once or more from each node; not all nodes have shown the others yet. A bucket that
 * gets tokens back meanwhile shows the rest of the values more often than there are nodes.
 */
const shownByEachNode = 0.45

/**
 * How many separate counts the shown Remaining comes from: 41, 41, 40, 41, 40, 41, 40 in one window comes from four. A value
 * that stands still, or moves in steps, is no node's count: most values come several times and have a neighbour that does.
 */
export const countsShown = (record: KeyRecord, { limit, windowMs }: QuotaWindow): number | undefined => {
  const rows = placesOf(record.size, (i) => record.status[i] === 200 && record.limit[i] === limit)
  const windows = groupedBy(rows, (i) => record.reset[i])
  const timesFrom = (reset: number): Map<number, number> => {
    // Each node's first request may begin its window. Two windows of one node end a window apart, within a second.
    const isOfSame = (other: number) => other === reset || (other > reset && other - reset < windowMs / 1000 - 1)
    const times = new Map<number, number>()
    for (const [other, own] of windows) {
      for (const i of isOfSame(other) ? own : [])
        times.set(record.remaining[i], (times.get(record.remaining[i]) ?? 0) + 1)
    }
    return times
  }
  const [fullest] = [...windows.keys()].map(timesFrom).sort((a, b) => b.size - a.size)
  if (!fullest || fullest.size < 3) return undefined
  const often = [...fullest]
    .filter(([left, times]) => times > 1 && (fullest.has(left - 1) || fullest.has(left + 1)))
    .map(([, times]) => times)
    .sort((a, b) => b - a)
  const counts = often[Math.ceil(often.length * shownByEachNode) - 1]
  return often.length > fullest.size / 2 && counts <= mostNodes ? counts : undefined
}
