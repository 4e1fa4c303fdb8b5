import { tallyOf } from '../counting/tally.js'
import type { History, QuotaWindow } from '../history.js'
import { explain } from '../models/explain.js'
import { type ModelName, modelNames } from '../models/explanation.js'
import { gridLength } from './grid-length.js'
import { type At, byBisection, distance, inRow, type Lengths } from './length-search.js'

/** Models that differ in what they ask of a limit and a window; the others would only repeat. */
const repeating: readonly ModelName[] = ['gcra', 'interval-refill', 'interval-refill-idle']
const searched = modelNames.filter((name) => !repeating.includes(name))

/** Window lengths that people set by mistake, as factors: named where they explain as much as an odd one beside them. */
const likelyFactors = [2, 0.5, 1.1, 0.9, 1.5, 0.75, 10, 0.1, 60, 1 / 60, 3, 1 / 3, 4, 0.25, 5, 0.2, 1.25, 0.8]
const beside = 0.05
const widestFactor = 12

/** No model lets more than twice the limit through in less than its window: the longest that what was admitted allows. */
const longestOf = (history: History, { limit, windowMs }: QuotaWindow): number => {
  const { admittedSent, admittedReceived } = tallyOf(history, { limit, windowMs: windowMs * widestFactor })
  let longest = Number.POSITIVE_INFINITY
  for (let i = 0; i + 2 * limit < admittedReceived.length; i++) {
    longest = Math.min(longest, admittedReceived[i + 2 * limit] - admittedSent[i])
  }
  return longest
}

const plausibleLengths = (history: History, window: QuotaWindow): Lengths => {
  const { windowMs } = window
  const asSaid = searched.map((model) => explain(model, history, window))
  const isOver = asSaid.every((each) => each.verdict === 'refuted' && each.reason === 'over-admission')
  const isEarly = asSaid.every((each) => each.verdict === 'refuted' && each.reason === 'early-refusal')
  // Where every model sees too much admitted the window can only be shorter, and longer where all see too little.
  const widest = windowMs * (isOver ? 1 : widestFactor)
  return { from: isEarly ? windowMs : windowMs / widestFactor, to: Math.min(widest, longestOf(history, window)) }
}

type LengthSearch = (at: At, history: History, window: QuotaWindow, among: Lengths) => number | null

/** Models of which the history tells when their windows begin. */
const anchored: readonly (readonly [ModelName, LengthSearch])[] = [
  // A longer log, and a bucket that fills more slowly, admit less and refuse more.
  ['sliding-log', (at, _history, _window, among) => byBisection(at, among)],
  ['token-bucket', (at, _history, _window, among) => byBisection(at, among)],
  ['fixed-window-first-request', (at, _history, { windowMs }, among) => inRow(at, windowMs, among)],
]

/** A grid may begin at any instant, so a few windows are soon explained by one of some length or other. */
const unanchored: readonly (readonly [ModelName, LengthSearch])[] = [
  ['interval-refill', (_at, history, window, among) => gridLength(history, window, among)],
]

/** A run's silences are windows of the length that was said: of a longer one nothing would tell when it began. */
const asUnused = (history: History): History => ({ ...history, priorUntilMs: Number.NEGATIVE_INFINITY })

/** Whether some model explains a history with windows of another length. */
export const explainsWithLength = (given: History, { limit }: QuotaWindow, windowMs: number): boolean =>
  [...anchored, ...unanchored].some(
    ([model]) => explain(model, asUnused(given), { limit, windowMs }).verdict === 'explained',
  )

/**
 * The window length nearest to the one that was said with which some model explains the history, on a grid only where
 * no other does; null where none was found. The key is taken as unused before, or a window that the first request opens
 * would explain everything.
 */
export const effectiveWindowMs = (given: History, window: QuotaWindow): number | null => {
  const history = asUnused(given)
  const among = plausibleLengths(history, window)
  return nearestOf(anchored, history, window, among) ?? nearestOf(unanchored, history, window, among)
}

const nearestOf = (
  searches: typeof anchored,
  history: History,
  window: QuotaWindow,
  plausible: Lengths,
): number | null => {
  const { limit, windowMs } = window
  let among = plausible
  let nearest: number | null = null
  for (const [model, search] of searches) {
    if (among.from >= among.to) break
    const at = (length: number) => explain(model, history, { limit, windowMs: length })
    const found = search(at, history, window, among)
    if (found === null || found < among.from || found > among.to) continue
    const likely = likelyFactors
      .map((factor) => factor * windowMs)
      .find((length) => distance(length, found) < beside && at(length).verdict === 'explained')
    nearest = likely ?? found
    // Only what is nearer still is looked for among the other models.
    const far = distance(found, windowMs)
    among = {
      from: Math.max(among.from, windowMs * Math.exp(-far)),
      to: Math.min(among.to, windowMs * Math.exp(far)),
    }
  }
  return nearest
}
