import type { ModelName } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import { medianOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { type Random, seededRandom, seedOfPart } from '../kit/random.js'
import { isTested } from '../oracle/judge-quota.js'
import { fits, modelsThatExplain } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import { type History, outcomes } from '../readings/history.js'
import { type LimiterSettings, limiters } from './limiters.js'
import { quotaFits } from './measured.js'
import type { Defect, LimiterOf, Make, NamedDefect } from './named-defect.js'

/** An unanswered request was decided within this time after it was sent, if at all. */
const latestWithoutAnswerMs = 100

/** When a target may have decided the requests, and their rows in that order. */
interface Drawn {
  readonly instants: Float64Array
  readonly order: Uint32Array
}

/** The shortest time that a request took: each request is in transit for at least that long. */
const wayMs = onceFor(({ sentMs, receivedMs }: History): number => {
  const shortest = receivedMs.reduce((least, ms, i) => Math.min(least, ms - sentMs[i]), Number.POSITIVE_INFINITY)
  return Number.isFinite(shortest) ? shortest : 0
})

/**
 * Instants drawn within the requests' intervals. The shortest round trip is the way there and back, split in a way that
 * nobody knows but that is the same for all: of round trips of 50 to 54 ms, each decision falls within 4 ms.
 */
export const drawnFor = (history: History, random: Random): Drawn => {
  const { size, sentMs, receivedMs } = history
  const instants = new Float64Array(size)
  const bothWaysMs = wayMs(history)
  const thereMs = bothWaysMs * random.float()
  for (let i = 0; i < size; i += 1) {
    const tookMs = receivedMs[i] - sentMs[i]
    const isAnswered = tookMs !== Number.POSITIVE_INFINITY
    const openMs = isAnswered ? tookMs - bothWaysMs : latestWithoutAnswerMs
    instants[i] = sentMs[i] + (isAnswered ? thereMs : 0) + openMs * random.float()
  }
  return { instants, order: inOrder(instants) }
}

/** Indices by instant. The instants are nearly in order, since only concurrent requests can change places. */
const inOrder = (instants: Float64Array): Uint32Array => {
  const order = new Uint32Array(instants.length)
  for (let i = 0; i < instants.length; i += 1) {
    const instant = instants[i]
    let at = i
    for (; at > 0 && instants[order[at - 1]] > instant; at -= 1) order[at] = order[at - 1]
    order[at] = i
  }
  return order
}

/**
 * The history as it would have been if this limiter had decided its requests, at these instants. Times stay as recorded: a
 * client that waited because of an answer waits just as long again. Excused requests stay excused; unknown ones stay unknown
 * and count as one unit, unless `decidesToo` names them.
 */
export const replayed = (
  history: History,
  limiterOf: LimiterOf,
  { instants, order }: Drawn,
  decidesToo?: ReadonlySet<number>,
): History => {
  const { outcome, asked } = history
  const decided = outcome.slice()
  for (let place = 0; place < order.length; place += 1) {
    const i = order[place]
    if (outcome[i] === outcomes.excused && !decidesToo?.has(i)) continue
    const isAdmitted = limiterOf(i).decide(instants[i], asked?.[i] ?? 1)
    if (outcome[i] !== outcomes.unknown || decidesToo?.has(i))
      decided[i] = isAdmitted ? outcomes.admitted : outcomes.refused
  }
  return { ...history, outcome: decided }
}

/** Stretches with requests in transit without a break: the index after the last row of each. */
const stretchEnds = onceFor(({ size, sentMs, receivedMs }: History): number[] => {
  const ends: number[] = []
  let underWayUntil = Number.NEGATIVE_INFINITY
  for (let i = 0; i < size; i += 1) {
    if (i > 0 && sentMs[i] > underWayUntil) ends.push(i)
    if (receivedMs[i] !== Number.POSITIVE_INFINITY) underWayUntil = Math.max(underWayUntil, receivedMs[i])
  }
  return [...ends, size]
})

/** How many gaps between simultaneous answers are needed to know a target's pace. */
const leastPaced = 30

/**
 * The median gap between answers to simultaneous requests, in milliseconds; 0 if few are simultaneous. A target that serves
 * requests one after the other, in 15 ms each, answers a burst 15 ms apart.
 */
export const answersApart = (history: History): number => {
  const gaps: number[] = []
  let from = 0
  for (const end of stretchEnds(history)) {
    const answered = history.receivedMs.slice(from, end).filter(Number.isFinite).sort()
    for (let i = 1; i < answered.length; i += 1) gaps.push(answered[i] - answered[i - 1])
    from = end
  }
  return gaps.length < leastPaced ? 0 : medianOf(gaps.sort((a, b) => a - b))
}

/**
 * How much two outcomes of the same requests differ: the difference in admissions, summed over the stretches of overlapping
 * requests. Within a stretch nobody knows the order.
 */
export const differenceOf = (one: History, other: History): number => {
  let [sum, from] = [0, 0]
  for (const end of stretchEnds(one)) {
    let surplus = 0
    for (let i = from; i < end; i += 1) {
      if (one.outcome[i] === outcomes.admitted) surplus += 1
      if (other.outcome[i] === outcomes.admitted) surplus -= 1
    }
    sum += Math.abs(surplus)
    from = end
  }
  return sum
}

export interface Replayable {
  readonly history: History
  readonly window: QuotaWindow
  /** The limiters that explain what was seen: what the target may be. */
  readonly models: readonly ModelName[]
  readonly seed: number
}

/** A limiter that would have answered as the target did, made anew for each draw. */
interface Like {
  readonly model: ModelName
  readonly settings: () => LimiterSettings
}

/** If this many draws agree, no more are made. */
const enoughAlike = 5
/** How many phases are tried per candidate model, and how many of the nearest are used for draws. */
const [phasesTried, phasesKept] = [24, 6]

/** A limiter that decides this much larger a share of the requests differently than the nearest one is not like the target. */
const shareApart = 0.05

const settingsOf = (window: QuotaWindow, random: Random): LimiterSettings => ({
  ...window,
  epochOffsetMs: random.float() * window.windowMs,
  random,
})

/**
 * Limiters that would have answered the same requests as the target did, or the nearest ones. So a defect is tried in the
 * target's place, with the target's windows.
 */
const likeTarget = onceFor(({ history, window, models, seed }: Replayable): Like[] => {
  const draws = Array.from({ length: phasesTried }, (_, i) =>
    drawnFor(history, seededRandom(seedOfPart(seed, `instants ${i}`))),
  )
  const tried = models.map((model) =>
    draws.map((drawn, i) => {
      const settings = () => settingsOf(window, seededRandom(seedOfPart(seed, `${model} ${i}`)))
      const limiter = limiters[model](settings())
      const answered = replayed(history, () => limiter, drawn)
      return { like: { model, settings }, apart: differenceOf(history, answered) }
    }),
  )
  const nearest = Math.min(...tried.flat().map(({ apart }) => apart))
  // A limiter whose windows begin with the run's first request is never near a target whose windows were already open.
  const farthest = nearest + shareApart * history.size
  return tried.flatMap((ofModel) => {
    const least = Math.min(...ofModel.map(({ apart }) => apart), farthest)
    return ofModel
      .filter(({ apart }) => apart === least)
      .slice(0, phasesKept)
      .map(({ like }) => like)
  })
})

/** Whether the oracle would pass this history: it tests the limit, and some admissible limiter explains it. */
const wouldPass = (history: History, window: QuotaWindow, likeliest: ModelName): boolean => {
  if (!isTested(history, window)) return false
  if (!isExact(window)) return modelsThatExplain(history, window).length > 0
  return fits(history, window, likeliest)
}

/** One replay of a run: the kind of limiter that had the defect, and whether a key exposed it. */
export interface Draw {
  readonly model: ModelName
  readonly isCaught: boolean
}

/** In how many draws the run's requests would have exposed a defect; with each draw, if chance is involved. */
export interface Caught {
  readonly caught: number
  readonly draws: number
  readonly drawn?: readonly Draw[]
}

/**
 * Replays the key's requests through a defective limiter, several times if chance is involved. If the limiter also serves
 * other keys that did not expose it, the replay continues here with the same kind of limiter.
 */
const caughtBy = (
  key: Replayable,
  like: readonly Like[],
  { id }: Defect,
  { make, asking, isSeenIn = () => false }: Extract<Defect['how'], { make: Make }>,
  mostDraws: number,
  onOthers: readonly Draw[],
): Caught => {
  const drawn: Draw[] = []
  const caught = () => drawn.filter(({ isCaught }) => isCaught).length
  const isEnough = () => [0, drawn.length].includes(caught()) && drawn.length >= Math.max(enoughAlike, onOthers.length)
  while (drawn.length < mostDraws && !isEnough()) {
    const place = drawn.length
    const before = onOthers[place]
    const ofKind = like.filter(({ model }) => model === before?.model)
    const { model, settings } = (ofKind.length > 0 ? ofKind : like)[place % (ofKind.length || like.length)]
    const shows = () => {
      // Seeded by itself: later requests, such as those that put pets back, do not change the replay of earlier ones.
      const random = seededRandom(seedOfPart(key.seed, `${id} ${place}`))
      const limiterOf = make({ model, settings: settings() })
      const answered = replayed(key.history, limiterOf, drawnFor(key.history, random), asking)
      return isSeenIn(answered) || !wouldPass(answered, key.window, model)
    }
    drawn.push(before?.isCaught ? before : { model, isCaught: shows() })
  }
  return { caught: caught(), draws: drawn.length, drawn }
}

/**
 * Whether the run distinguishes a defect from what is promised. A defect that keeps another quota is exposed if no limiter
 * with that quota explains the answers, which is certain; for any other, replays show how likely it is.
 */
export const toldBy = (key: Replayable, defect: Defect, mostDraws: number, onOthers: readonly Draw[] = []): Caught => {
  const { how } = defect
  return 'make' in how
    ? caughtBy(key, likeTarget(key), defect, how, mostDraws, onOthers)
    : { caught: how.keepsOneOf.some((quota) => quotaFits(key.history, quota, key.models[0])) ? 0 : 1, draws: 1 }
}

/** What the run's requests on a key would have shown of one defect, including earlier keys if one limiter serves all. */
export interface Replayed extends Caught {
  readonly defect: NamedDefect
  /** Whether it would have been exposed: in at least 95 of 100 draws. */
  readonly isExcluded: boolean
}

const demandedShare = 0.95
/** The number of draws if chance is involved: for a defect that a pass or a gate must exclude, and for any other. */
const [drawsDemanded, drawsElse] = [20, 10]

export const replayedAs = (defect: NamedDefect, caught: Caught): Replayed => ({
  defect,
  ...caught,
  isExcluded: caught.caught >= demandedShare * caught.draws,
})

/** Replays a defect: more often if a pass must exclude it, or a gate wants it. */
export const toldOfDefect = (
  key: Replayable,
  defect: Defect,
  isWanted = false,
  onOthers: readonly Draw[] = [],
): Replayed => {
  const mostDraws = defect.clauses.length > 0 || isWanted ? drawsDemanded : drawsElse
  return replayedAs(defect, toldBy(key, defect, mostDraws, onOthers))
}
