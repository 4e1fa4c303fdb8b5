import { bucketModels, type ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { onceFor } from '../../kit/once-for.js'
import type { History, Span } from '../../readings/history.js'
import { tallyOf } from '../counting/tally.js'
import { explain, isExplained } from '../models/explain.js'
import { admissibleModels, type Explanation } from '../models/explanation.js'
import { withLimit } from './defect-fits.js'
import { type At, byBisection, distance, gridLength, inRow } from './window-length.js'

/** Models that only repeat what others say about a limit and a window. */
const repeating: readonly ModelName[] = ['gcra', 'interval-refill', 'interval-refill-idle']

const searchedIn = (window: QuotaWindow): readonly ModelName[] =>
  admissibleModels(window).filter((name) => !repeating.includes(name))

/** The whole number from 1 to `most` that explains a history, found by bisection; null if bisection meets none. */
const wholeByBisection = (at: (middle: number) => Explanation, most: number): number | null => {
  let [low, high] = [1, most]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const explanation = at(middle)
    if (explanation.verdict === 'explained') return middle
    if (explanation.overAdmitted >= explanation.earlyRefused) low = middle + 1
    else high = middle - 1
  }
  return null
}

/** A limit with which some model explains the history, found by bisection; null if none was found. */
export const effectiveLimit = (history: History, window: QuotaWindow): number | null => {
  for (const model of searchedIn(window)) {
    const at = (limit: number) => explain(model, history, withLimit(window, limit))
    const found = wholeByBisection(at, Math.max(2 * window.limit, history.size))
    if (found !== null) return found
  }
  return null
}

/** What a quota's bucket holds; undefined if the quota may be kept by something other than a bucket. */
const heldBy = (window: QuotaWindow): number | undefined =>
  window.burst ?? (admissibleModels(window).every((model) => bucketModels.includes(model)) ? window.limit : undefined)

/** The bucket with another size, filled in the same time as the stated one: its rate grows with it. */
export const filledAsSoon = (window: QuotaWindow, held: number, burst: number): QuotaWindow => ({
  ...window,
  burst,
  windowMs: (window.windowMs * held) / burst,
})

/** Beyond this it may be several nodes, which hold at least twice as much. */
const mostGrown = 1.5

/**
 * The bucket size that explains the history, with the stated rate or filled in the same time, found by bisection; null if
 * none does, or if the quota may be no bucket.
 */
export const effectiveBurst = (history: History, window: QuotaWindow): number | null => {
  const held = heldBy(window)
  if (held === undefined) return null
  const holding = (other: (burst: number) => QuotaWindow, most: number) =>
    wholeByBisection((burst) => explain('token-bucket', history, other(burst)), most)
  return (
    holding((burst) => ({ ...window, burst }), Math.max(2 * held, history.size)) ??
    holding((burst) => filledAsSoon(window, held, burst), Math.floor(mostGrown * held))
  )
}

/** Wrong lengths that people set by mistake, as factors (seconds for minutes, twice, half): named before odd ones. */
const likelyFactors = [2, 0.5, 1.1, 0.9, 1.5, 0.75, 10, 0.1, 60, 1 / 60, 3, 1 / 3, 4, 0.25, 5, 0.2, 1.25, 0.8]
/** How near a likely length has to be to the one found: 5 %, as a logarithm of their ratio. */
const besideRatio = 0.05
/** Lengths from a twelfth of the plan's window to twelve times it are tried. */
const widestFactor = 12

/** The longest window that the admissions allow: none admits more than 2 L, so 121 of 60 in 40 s bound it to 40 s. */
const longestOf = (history: History, { limit, windowMs, burst }: QuotaWindow): number => {
  if (burst !== undefined) return Number.POSITIVE_INFINITY
  const { admittedSent, admittedReceived } = tallyOf(history, { limit, windowMs: windowMs * widestFactor })
  let longest = Number.POSITIVE_INFINITY
  for (let i = 0; i + 2 * limit < admittedReceived.length; i++)
    longest = Math.min(longest, admittedReceived[i + 2 * limit] - admittedSent[i])
  return longest
}

const everyLength = (history: History, window: QuotaWindow): Span => ({
  from: window.windowMs / widestFactor,
  to: Math.min(window.windowMs * widestFactor, longestOf(history, window)),
})

/** Not for a sliding counter: the best phase of a length that is too short may leave only admissions unexplained. */
const plausibleLengths = (history: History, window: QuotaWindow): Span => {
  const { windowMs } = window
  const { from, to } = everyLength(history, window)
  const asSaid = searchedIn(window).map((model) => explain(model, history, window))
  const isOver = asSaid.every((each) => each.verdict === 'refuted' && each.reason === 'over-admission')
  const isEarly = asSaid.every((each) => each.verdict === 'refuted' && each.reason === 'early-refusal')
  // If all models see too many admissions, the window can only be shorter; if all see early refusals, only longer.
  return { from: isEarly ? windowMs : from, to: isOver ? Math.min(windowMs, to) : to }
}

type LengthSearch = (at: At, history: History, window: QuotaWindow, among: Span) => number | null

/** Models whose windows begin at something visible in the history, with the way to search their lengths. */
const anchored: readonly (readonly [ModelName, LengthSearch])[] = [
  // A longer log, and a bucket that fills more slowly, admit less and refuse more.
  ['sliding-log', (at, _history, _window, among) => byBisection(at, among)],
  ['token-bucket', (at, _history, _window, among) => byBisection(at, among)],
  ['fixed-window-first-request', (at, _history, { windowMs }, among) => inRow(at, windowMs, among)],
]

/** Models whose windows may begin anywhere: some length explains any few windows, so they are tried last. */
const unanchored: readonly (readonly [ModelName, LengthSearch])[] = [
  ['interval-refill', (_at, history, window, among) => gridLength(history, window, among)],
]

/**
 * A sliding counter weighs the window before, so that no length tells on which side of it the right one lies. It explains
 * much, so that it is tried after all others, with likely lengths only, the nearest first.
 */
const weighted: typeof anchored = [
  [
    'sliding-counter',
    (_at, history, window, { from, to }) =>
      likelyFactors
        .map((factor) => factor * window.windowMs)
        .filter((length) => length >= from && length <= to)
        .sort((a, b) => distance(a, window.windowMs) - distance(b, window.windowMs))
        .find((windowMs) => isExplained('sliding-counter', history, { ...window, windowMs })) ?? null,
  ],
]

/** The history as if the key was unused: a run keeps silent for W only, and a longer window might be open at its start. */
const asUnused = (history: History): History => ({ ...history, priorUntilMs: Number.NEGATIVE_INFINITY })

export const explainsWithLength = (given: History, window: QuotaWindow, windowMs: number): boolean =>
  admitted([...anchored, ...unanchored, ...weighted], window).some(([model]) =>
    isExplained(model, asUnused(given), { ...window, windowMs }),
  )

const admitted = (searches: typeof anchored, window: QuotaWindow): typeof anchored => {
  const admissible = admissibleModels(window)
  return searches.filter(([model]) => admissible.includes(model))
}

/**
 * The length, nearest to the plan's window, with which some model explains the history; windows on a grid count only if no
 * other model fits. Null if none was found. The key is taken as unused before the run: otherwise one long window that was
 * open then would explain everything. A target that takes 45 s for a minute gives 45,000.
 */
export const effectiveWindowMs = (given: History, window: QuotaWindow): number | null =>
  unweightedWindowMs(given, window) ?? weightedIn(window)(given)

/** The same without sliding counters, which explain much: say, what somebody else spent. */
export const unweightedWindowMs = (given: History, window: QuotaWindow): number | null => unweightedIn(window)(given)

/** Several defects, and whoever else may have spent a key, ask for it; the search is slow. */
const unweightedIn = onceFor((window: QuotaWindow) =>
  onceFor((given: History): number | null => {
    const history = asUnused(given)
    const among = plausibleLengths(history, window)
    return nearestOf(anchored, history, window, among) ?? nearestOf(unanchored, history, window, among)
  }),
)

const weightedIn = onceFor((window: QuotaWindow) =>
  onceFor((given: History): number | null => {
    const history = asUnused(given)
    return nearestOf(weighted, history, window, everyLength(history, window))
  }),
)

const nearestOf = (
  searches: typeof anchored,
  history: History,
  window: QuotaWindow,
  plausible: Span,
): number | null => {
  const { windowMs } = window
  let among = plausible
  let nearest: number | null = null
  for (const [model, search] of admitted(searches, window)) {
    if (among.from >= among.to) break
    const at = (length: number) => explain(model, history, { ...window, windowMs: length })
    const found = search(at, history, window, among)
    if (found === null || found < among.from || found > among.to) continue
    const likely = likelyFactors
      .map((factor) => factor * windowMs)
      .find((length) => distance(length, found) < besideRatio && at(length).verdict === 'explained')
    nearest = likely ?? found
    // The other models are tried only for lengths that are nearer still.
    const far = distance(found, windowMs)
    among = {
      from: Math.max(among.from, windowMs * Math.exp(-far)),
      to: Math.min(among.to, windowMs * Math.exp(far)),
    }
  }
  return nearest
}
