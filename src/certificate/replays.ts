import type { ModelName } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import { onceFor } from '../kit/once-for.js'
import { type Random, seededRandom, seedOfPart } from '../kit/random.js'
import { isTested } from '../oracle/judge-quota.js'
import { explainAll, fits } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import type { History } from '../readings/history.js'
import { type LimiterSettings, limiters } from './limiters.js'
import type { Defect, Make, NamedDefect } from './named-defect.js'
import { differenceOf, drawnFor, replayed } from './replay.js'

/** A key with what its requests are replayed with. */
export interface Replayable {
  readonly history: History
  readonly window: QuotaWindow
  /** The limiters that explain what was seen: what the target may be. */
  readonly models: readonly ModelName[]
  readonly seed: number
}

/** A limiter that would have answered as the target did, to be made anew for each draw. */
interface Like {
  readonly model: ModelName
  readonly settings: () => LimiterSettings
}

/** Where so many draws agree, no more are made. */
const enoughAlike = 5
/** Phases that are tried for a limiter that the target may be, and how many of the nearest are drawn from. */
const [phasesTried, phasesKept] = [24, 6]

/** A limiter that would have decided so many more of the requests otherwise than the nearest one is not like the target. */
const shareApart = 0.05

const settingsOf = (window: QuotaWindow, random: Random): LimiterSettings => ({
  ...window,
  epochOffsetMs: random.float() * window.windowMs,
  random,
})

/**
 * Limiters that, asked the same, would have answered as the target did; the nearest ones where none does. So a defect is
 * tried in the place of the target, with its windows where the target's are.
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
  // One whose windows begin with the run's first request is never near to a target whose windows were under way by then.
  const farthest = nearest + shareApart * history.size
  return tried.flatMap((ofModel) => {
    const least = Math.min(...ofModel.map(({ apart }) => apart), farthest)
    return ofModel
      .filter(({ apart }) => apart === least)
      .slice(0, phasesKept)
      .map(({ like }) => like)
  })
})

/** Whether the oracle would pass this history: it puts the limit to the test, and some admitted limiter explains it. */
const wouldPass = (history: History, window: QuotaWindow, likeliest: ModelName): boolean => {
  if (!isTested(history, window)) return false
  if (!isExact(window)) return Object.values(explainAll(history, window)).some((each) => each?.verdict === 'explained')
  return fits(history, window, likeliest)
}

/** One replay of a run: what kind of limiter had the defect, and whether a key showed it. */
export interface Draw {
  readonly model: ModelName
  readonly isCaught: boolean
}

/** In how many of the draws the run's requests would have told a defect from what is promised; each, where chance decides. */
export interface Caught {
  readonly caught: number
  readonly draws: number
  readonly drawn?: readonly Draw[]
}

/**
 * Replays the key's requests through a defective limiter, as often as chance has a say in it. Of a limiter that serves
 * other keys as well, a replay goes on here with the same kind of limiter where these did not show it.
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
      // By itself: what is sent later, as what puts pets back, changes nothing of what a replay makes of what was sent before.
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
 * Whether the run tells a defect from what is promised. One that keeps another quota it does where no limiter that keeps
 * that explains what was answered, which is certain; of any other, replays show how likely it is.
 */
export const toldBy = (key: Replayable, defect: Defect, mostDraws: number, onOthers: readonly Draw[] = []): Caught => {
  const { how } = defect
  return 'make' in how
    ? caughtBy(key, likeTarget(key), defect, how, mostDraws, onOthers)
    : { caught: how.keepsOneOf.some((quota) => fits(key.history, quota, key.models[0])) ? 0 : 1, draws: 1 }
}

/** What the run's requests on a key would have shown of one defect, with those on the keys before it where one limiter serves all. */
export interface Replayed extends Caught {
  readonly defect: NamedDefect
  /** Whether it would have shown: in 95 of 100 draws at least. */
  readonly isExcluded: boolean
}

const demandedShare = 0.95
/** Draws of what a pass or a gate demands, where chance decides, and of what is only measured. */
const [drawsDemanded, drawsElse] = [20, 10]

/** What so many draws say of a defect. */
export const replayedAs = (defect: NamedDefect, caught: Caught): Replayed => ({
  defect,
  ...caught,
  isExcluded: caught.caught >= demandedShare * caught.draws,
})

/** Replays a defect: more often where a pass demands that it is excluded, or a gate wants it. */
export const toldOfDefect = (
  key: Replayable,
  defect: Defect,
  isWanted = false,
  onOthers: readonly Draw[] = [],
): Replayed => {
  const mostDraws = defect.clauses.length > 0 || isWanted ? drawsDemanded : drawsElse
  return replayedAs(defect, toldBy(key, defect, mostDraws, onOthers))
}
