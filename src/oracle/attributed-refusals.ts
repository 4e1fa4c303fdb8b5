import { outcomes } from '../readings/history.js'
import { explainAll, explainingModels } from './models/explain.js'
import { admissibleModels } from './models/explanation.js'
import { historyOfPart, type SharedQuota, type SharedRequests, suspicionOf } from './shared-quota.js'

/** For which quota each refusal is held, and what became of every request in the history of each quota. */
interface Attribution {
  /** For each quota the codes of {@link outcomes}, by request; excused where the request does not count in it. */
  readonly outcome: readonly Uint8Array[]
  /** The place of the one quota that a refusal is held for; -1 where several may have refused it, and for the others. */
  readonly heldFor: Int16Array
  /** Refusals that no quota explains. */
  readonly unexplained: readonly number[]
}

/**
 * Which of several quotas refused, where the refusals do not show it. One that just one quota may have made
 * ({@link suspicionOf}) is held for that one. Where several may have, it is held for none: it is *unknown* in each that
 * may count it, else *excused*. Where none may have, some quota refuses early, and the likeliest is held to it.
 *
 * Example: 60 a minute and 100 in 5 minutes. A refusal of the 61st request of a minute is the minute's; that of the
 * 101st in 5 minutes, the 41st of its minute, is the other's. After 50 requests in all it is nobody's: the minute, of
 * which the larger share was spent, has refused early.
 *
 * Sound: of limiters that keep their quotas, the one that refused is always among those that may have.
 */
export const attributedRefusals = (requests: SharedRequests, quotas: readonly SharedQuota[]): Attribution => {
  const found = attributedAmong(requests, quotas)
  if (found.unexplained.length > 0) return found
  // What is known of one quota's limiter tells more of the other's, until nothing is left out any more.
  const narrower = quotas.map((_, place) => withWhatIsLeft(requests, quotas, place, found))
  return narrower.every((each, place) => each === quotas[place]) ? found : attributedRefusals(requests, narrower)
}

/**
 * The quota with those limiters alone that explain what is certainly its own: another one cannot have refused. Of 6 in 3 s,
 * six just after six in the window before are no sliding counter, and so is no refusal later that only such a one would give.
 * Nor does it count what the other refuses, where no limiter that does could have admitted what it admitted.
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
    parts.map((part) =>
      explainingModels(explainAll(historyOfPart(requests, quota, outcomeOfPart, part).history, quota.window)),
    )
  const models = admissibleModels(quota.window)
  const known = explaining(outcome[place]).flat()
  const left = models.filter((name) => known.includes(name))
  const isNarrower = left.length > 0 && left.length < models.length
  const narrowed = isNarrower ? { ...quota, window: { ...quota.window, models: left } } : quota
  // Of three, one may stand before the second and behind the third.
  const isBesideOne = parts.every((part) => othersBeside(quotas, place, part).length === 1)
  if (!quota.countsRefused || left.length === 0 || !isBesideOne) return narrowed
  const counted = outcome[place].map((each, i) =>
    quota.part[i] >= 0 && heldFor[i] >= 0 && heldFor[i] !== place ? outcomes.admitted : each,
  )
  const isRuledOut = explaining(counted).some((each) => each.length === 0)
  return isRuledOut ? { ...narrowed, countsRefused: false } : narrowed
}

/** The other quotas in which requests of a part count too. */
const othersBeside = (quotas: readonly SharedQuota[], place: number, part: number): SharedQuota[] =>
  quotas.filter(
    (other, at) => at !== place && other.part.some((each, i) => each >= 0 && quotas[place].part[i] === part),
  )

const attributedAmong = (requests: SharedRequests, quotas: readonly SharedQuota[]): Attribution => {
  const refused = placesOf(requests, outcomes.refused)
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

const placesOf = ({ size, outcome }: SharedRequests, code: number): readonly number[] =>
  Array.from({ length: size }, (_, i) => i).filter((i) => outcome[i] === code)

/** What a request becomes in the history of a quota that is not held to have refused it. */
const refusedElsewhere = ({ countsRefused }: SharedQuota): number =>
  countsRefused ? outcomes.unknown : outcomes.excused

const outcomeIn = (requests: SharedRequests, quota: SharedQuota, place: number, heldFor: Int16Array): Uint8Array =>
  requests.outcome.map((each, i) => {
    if (quota.part[i] < 0) return outcomes.excused
    return each === outcomes.refused && heldFor[i] !== place ? refusedElsewhere(quota) : each
  })

/**
 * Whom the wait that a refusal names speaks for, of those that the counts suspect. One that none of them can name is wrong,
 * and tells nothing; nor does one that speaks for those that the run had not spent, against one that it had.
 */
const namedByWait = (
  all: readonly number[],
  named: readonly number[],
  wasSpent: (place: number) => boolean,
): readonly number[] => (named.length > 0 && (named.some(wasSpent) || !all.some(wasSpent)) ? named : all)

/** Whether a quota may have made a refusal, and how much of the quota was spent by then. */
type Suspicion = ReturnType<typeof suspicionOf>

/** The quotas that may have made a refusal. Use before the run counts only where it explains what it would have to. */
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
    // An answer clears some only where it shows that the others are spent: one that shows something left, and nothing that
    // refused, is wrong.
    const isSpent = (place: number) => requests.shows?.(i, place) === 'spent'
    const isTold = (places: readonly number[]) => places.every((place) => requests.shows?.(i, place) !== undefined)
    const spent = perhaps.filter(isSpent)
    if (isTold(perhaps) && spent.length > 0) return spent
    // Its wait names one, and what it shows another: whichever is wrong, either may have refused.
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
 * The parts of a quota of which no use before the run explains the refusals that only this quota can have made: a
 * window that others had spent may refuse, but it does not begin anew, serve and refuse again too soon.
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
  const isExplained = (part: number): boolean => {
    const { history } = historyOfPart(requests, quota, outcome, part)
    return explainingModels(explainAll(history, quota.window)).length > 0
  }
  return new Set([...parts].filter((part) => !isExplained(part)))
}

/**
 * The quota that is held to each refusal which none explains: the one that refused just before, if nothing was admitted
 * in between; else that of which the largest share was spent, and of equals the one with the shortest window. One fault
 * explains them all: where the same quota is likeliest for most of them, it is held to every one that counts in it.
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

/** For each request the quota held for the last refusal before it, if nothing was admitted in between; -1 for none. */
const refusersJustBefore = ({ outcome }: SharedRequests, heldFor: Int16Array): Int16Array => {
  let last = -1
  return heldFor.map((held, i) => {
    const before = last
    if (outcome[i] === outcomes.admitted) last = -1
    else if (held >= 0) last = held
    return before
  })
}
