import type { ModelName } from '../contract/limiter-models.js'
import { placesOf } from '../kit/numbers.js'
import { outcomes } from '../readings/history.js'
import { modelsThatExplain } from './models/explain.js'
import { admissibleModels } from './models/explanation.js'
import { historyOfPart, type SharedQuota, type SharedRequests, suspicionOf } from './shared-quota.js'

/** Which quota made each refusal, and what each request counts as in the history of each quota. */
interface Attribution {
  /** For each quota, the {@link outcomes} code of each request; excused if the quota does not count it. */
  readonly outcome: readonly Uint8Array[]
  /** The index of the one quota that made a refusal; -1 if several may have, and for other requests. */
  readonly heldFor: Int16Array
  /** Refusals that no quota explains. */
  readonly unexplained: readonly number[]
}

/**
 * Decides which of several quotas made each refusal, where the refusals do not say so. If just one quota may have made it
 * ({@link suspicionOf}), that one did. If several may have, it is *unknown* in each of them that may count it, and *excused*
 * in the others. If none may have, some quota refuses early, and the likeliest one is blamed.
 *
 * Example: 60 a minute and 100 in 5 minutes. The minute refuses the 61st request of a minute; the other quota refuses the
 * 101st in 5 minutes, if that is the 41st of its minute. After only 50 requests neither should refuse: the minute, of which
 * the larger share was spent, is blamed for refusing early.
 *
 * Sound: while the limiters keep their quotas, the one that refused is always among those that may have.
 */
export const attributedRefusals = (requests: SharedRequests, quotas: readonly SharedQuota[]): Attribution => {
  const found = attributedAmong(requests, quotas)
  if (found.unexplained.length > 0) return found
  // What is learnt about one quota's limiter narrows the others; repeat until nothing more is ruled out.
  const narrower = quotas.map((_, place) => withWhatIsLeft(requests, quotas, place, found))
  return narrower.every((each, place) => each === quotas[place]) ? found : attributedRefusals(requests, narrower)
}

/**
 * The quota, limited to the models that explain the refusals which are certainly its own: no other model can have refused. If
 * 6 in 3 s were admitted right after 6 in the window before, it is no sliding counter, so a later refusal that only a sliding
 * counter would give is not its own. If the quota counts what others refuse, but no such limiter could have admitted what it
 * admitted, it does not count that.
 */
const withWhatIsLeft = (
  requests: SharedRequests,
  quotas: readonly SharedQuota[],
  place: number,
  { outcome, heldFor }: Attribution,
): SharedQuota => {
  const quota = quotas[place]
  const parts = [...new Set(quota.part.filter((part) => part >= 0))]
  const explaining = (outcomeOfPart: Uint8Array) =>
    parts.map((part) => modelsOfPart(requests, quota, outcomeOfPart, part))
  const models = admissibleModels(quota.window)
  const known = explaining(outcome[place]).flat()
  const left = models.filter((name) => known.includes(name))
  const isNarrower = left.length > 0 && left.length < models.length
  const narrowed = isNarrower ? { ...quota, window: { ...quota.window, models: left } } : quota
  // With three quotas, one may be checked before the second and after the third.
  const isBesideOne = parts.every((part) => othersBeside(quotas, place, part).length === 1)
  if (!quota.countsRefused || left.length === 0 || !isBesideOne) return narrowed
  const counted = outcome[place].map((each, i) =>
    quota.part[i] >= 0 && heldFor[i] >= 0 && heldFor[i] !== place ? outcomes.admitted : each,
  )
  const isRuledOut = explaining(counted).some((each) => each.length === 0)
  return isRuledOut ? { ...narrowed, countsRefused: false } : narrowed
}

const modelsOfPart = (requests: SharedRequests, quota: SharedQuota, outcome: Uint8Array, part: number): ModelName[] =>
  modelsThatExplain(historyOfPart(requests, quota, outcome, part).history, quota.window)

/** The other quotas that also count requests of this part. */
const othersBeside = (quotas: readonly SharedQuota[], place: number, part: number): SharedQuota[] =>
  quotas.filter(
    (other, at) => at !== place && other.part.some((each, i) => each >= 0 && quotas[place].part[i] === part),
  )

const attributedAmong = (requests: SharedRequests, quotas: readonly SharedQuota[]): Attribution => {
  const refused = placesOf(requests.size, (i) => requests.outcome[i] === outcomes.refused)
  const suspicions = quotas.map((quota) => suspicionOf(requests, quota))
  const suspectsOf = suspectsAmong(requests, quotas, suspicions, refused)
  const heldFor = new Int16Array(requests.size).fill(-1)
  const unexplained: number[] = []
  for (const i of refused) {
    const suspects = suspectsOf(i)
    if (suspects.length === 1) heldFor[i] = suspects[0]
    if (suspects.length === 0) unexplained.push(i)
  }
  for (const [i, place] of blamed(requests, quotas, suspicions, unexplained, heldFor)) heldFor[i] = place
  return { outcome: quotas.map((quota, place) => outcomeIn(requests, quota, place, heldFor)), heldFor, unexplained }
}

/** What a refusal counts as in the history of a quota that is not blamed for it. */
const refusedElsewhere = ({ countsRefused }: SharedQuota): number =>
  countsRefused ? outcomes.unknown : outcomes.excused

const outcomeIn = (requests: SharedRequests, quota: SharedQuota, place: number, heldFor: Int16Array): Uint8Array =>
  requests.outcome.map((each, i) => {
    if (quota.part[i] < 0) return outcomes.excused
    return each === outcomes.refused && heldFor[i] !== place ? refusedElsewhere(quota) : each
  })

/**
 * The suspects, among those that the counts allow, that fit the wait named in a refusal. A wait that fits none is wrong and
 * tells nothing. Nor does a wait count that fits only quotas which the run had not spent, when it had spent another.
 */
const namedByWait = (
  all: readonly number[],
  named: readonly number[],
  wasSpent: (place: number) => boolean,
): readonly number[] => (named.length > 0 && (named.some(wasSpent) || !all.some(wasSpent)) ? named : all)

type Suspicion = ReturnType<typeof suspicionOf>

/** The suspects of a refusal. Use before the run counts only if it explains all refusals that it would have to. */
const suspectsAmong = (
  requests: SharedRequests,
  quotas: readonly SharedQuota[],
  suspicions: readonly Suspicion[],
  refused: readonly number[],
) => {
  const among = (i: number, isUsedBefore: (place: number) => boolean): readonly number[] => {
    const suspects = (trustsWait: boolean) =>
      suspicions.flatMap((each, place) => (each.mayRefuse(i, isUsedBefore(place), trustsWait) ? [place] : []))
    const wasSpent = (place: number) => suspicions[place].wasSpent(i)
    const all = suspects(false)
    const perhaps = namedByWait(all, suspects(true), wasSpent)
    // Headers clear a suspect only if they show another one as spent: a refusal that shows every quota with something left is
    // wrong.
    const isSpent = (place: number) => requests.shows?.(i, place) === 'spent'
    const isTold = (places: readonly number[]) => places.every((place) => requests.shows?.(i, place) !== undefined)
    const spent = perhaps.filter(isSpent)
    if (isTold(perhaps) && spent.length > 0) return spent
    // The wait points to one quota and the headers to another: one of them is wrong, so either quota may have refused.
    return isTold(all) ? [...new Set([...perhaps, ...all.filter(isSpent)])].sort((a, b) => a - b) : perhaps
  }
  const own = new Int16Array(requests.size).fill(-1)
  for (const i of refused) {
    const suspects = among(i, () => true)
    if (suspects.length === 1) own[i] = suspects[0]
  }
  const contradicted = quotas.map((quota, place) => contradictedParts(requests, quota, place, own))
  return (i: number): readonly number[] => among(i, (place) => !contradicted[place].has(quotas[place].part[i]))
}

/**
 * The parts of a quota where use before the run cannot explain the refusals that only this quota can have made: a window that
 * others had spent may refuse, but it does not start anew, serve, and then refuse too soon.
 */
const contradictedParts = (
  requests: SharedRequests,
  quota: SharedQuota,
  place: number,
  own: Int16Array,
): ReadonlySet<number> => {
  if (quota.priorUntilMs === Number.NEGATIVE_INFINITY) return new Set()
  const outcome = outcomeIn(requests, quota, place, own)
  const parts = new Set(quota.part.filter((_, i) => own[i] === place))
  return new Set([...parts].filter((part) => modelsOfPart(requests, quota, outcome, part).length === 0))
}

/**
 * The quota to blame for each refusal that no quota explains: the one that refused just before, if nothing was admitted in
 * between; else the one with the largest share spent, or of equals the one with the shortest window. One fault explains them
 * all: the quota blamed most often is blamed for every such refusal that it counts.
 */
const blamed = (
  requests: SharedRequests,
  quotas: readonly SharedQuota[],
  suspicions: readonly Suspicion[],
  unexplained: readonly number[],
  heldFor: Int16Array,
): readonly (readonly [number, number])[] => {
  const shortestFirst = quotas
    .map((_, place) => place)
    .sort((a, b) => quotas[a].window.windowMs - quotas[b].window.windowMs)
  const justBefore = refusersJustBefore(requests, heldFor)
  const countsIn = (i: number) => shortestFirst.filter((place) => quotas[place].part[i] >= 0)
  const likeliest = (i: number): number => {
    const before = justBefore[i]
    const among = countsIn(i)
    if (among.includes(before)) return before
    return among.reduce((best, each) => (suspicions[each].shareSpent(i) > suspicions[best].shareSpent(i) ? each : best))
  }
  const each = unexplained.filter((i) => countsIn(i).length > 0).map((i) => [i, likeliest(i)] as const)
  const votes = quotas.map((_, place) => each.filter(([, vote]) => vote === place).length)
  const culprit = votes.indexOf(Math.max(...votes))
  return each.map(([i, place]) => [i, quotas[culprit].part[i] >= 0 ? culprit : place] as const)
}

/** For each request, the quota of the last refusal before it, if nothing was admitted in between; else -1. */
const refusersJustBefore = ({ outcome }: SharedRequests, heldFor: Int16Array): Int16Array => {
  let last = -1
  return heldFor.map((held, i) => {
    const before = last
    if (outcome[i] === outcomes.admitted) last = -1
    else if (held >= 0) last = held
    return before
  })
}
