import { type Explanation, type ModelName, modelNames } from './explanation.js'
import { gridLength, type Lengths } from './grid-length.js'
import type { History, QuotaWindow } from './history.js'
import { explain } from './models.js'
import { tallyOf } from './tally.js'

/** Models that differ in what they ask of a limit and a window; GCRA and interval refill would only repeat. */
const searched: readonly ModelName[] = modelNames.filter((name) => name !== 'gcra' && name !== 'interval-refill')

/** Window lengths that people set by mistake, as factors: named where they explain as much as an odd one beside them. */
const likelyFactors = [2, 0.5, 1.1, 0.9, 1.5, 0.75, 10, 0.1, 60, 1 / 60, 3, 1 / 3, 4, 0.25, 5, 0.2, 1.25, 0.8]
const beside = 0.05
const widestFactor = 12
/** Of the logarithm of the length: about the width of the valley around the true length, after a dozen windows. */
const coarseStep = 0.02
const valleys = 3
const halvings = 12

/** How many exchanges one model has to explain away for a window of that length; 0 where it explains the history. */
type Misfit = (length: number) => number

/** Walks downhill from a length by ever smaller steps; a length that explains everything, or null. */
const descend = (misfit: Misfit, from: number): number | null => {
  let [length, least, step] = [from, misfit(from), coarseStep / 2]
  for (let round = 0; round < halvings && least > 0; round++, step /= 2) {
    for (const other of [length * Math.exp(step), length * Math.exp(-step)]) {
      const found = misfit(other)
      if (found < least) [length, least] = [other, found]
    }
  }
  return least === 0 ? length : null
}

/** Looks at lengths in small steps, and closely around those that come nearest. */
const inValleys = (misfit: Misfit, { from, to }: Lengths): number | null => {
  const steps = Math.ceil(Math.log(to / from) / coarseStep)
  const tried = Array.from({ length: steps + 1 }, (_, k) => from * Math.exp(k * coarseStep))
    .map((length) => ({ length, misfit: misfit(length) }))
    .sort((a, b) => a.misfit - b.misfit)
  for (const { length } of tried.slice(0, valleys)) {
    const found = descend(misfit, length)
    if (found !== null) return found
  }
  return null
}

const bisections = 40

/** A longer log, and a bucket that fills more slowly, admit less and refuse more: a length that does both is none. */
const byBisection = (explanationAt: (length: number) => Explanation, { from, to }: Lengths): number | null => {
  let [low, high] = [from, to]
  for (let round = 0; round < bisections; round++) {
    const middle = Math.sqrt(low * high)
    const explanation = explanationAt(middle)
    if (explanation.verdict === 'explained') return middle
    if (explanation.reason === 'both') return null
    if (explanation.reason === 'over-admission') high = middle
    else low = middle
  }
  return null
}

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

/**
 * Some window length with which some model explains the history; null where none was found. The key is taken as unused
 * before: a run's silences are windows of the length that was said, and where nothing tells when a longer one began, a
 * window that the first request opens explains everything.
 */
export const effectiveWindowMs = (given: History, window: QuotaWindow): number | null => {
  const history = { ...given, priorUntilMs: Number.NEGATIVE_INFINITY }
  const { limit, windowMs } = window
  const lengths = plausibleLengths(history, window)
  if (lengths.from >= lengths.to) return null
  const at = (model: ModelName) => (length: number) => explain(model, history, { limit, windowMs: length })
  const misfit: Misfit = (length) => {
    const explanation = at('fixed-window-first-request')(length)
    return explanation.verdict === 'explained' ? 0 : explanation.overAdmitted + explanation.earlyRefused
  }
  const searches: readonly (readonly [ModelName, () => number | null])[] = [
    ['sliding-log', () => byBisection(at('sliding-log'), lengths)],
    ['token-bucket', () => byBisection(at('token-bucket'), lengths)],
    ['interval-refill', () => gridLength(history, limit, lengths)],
    ['fixed-window-first-request', () => inValleys(misfit, lengths)],
  ]
  for (const [model, search] of searches) {
    const found = search()
    if (found === null) continue
    const likely = likelyFactors
      .map((factor) => factor * windowMs)
      .find((length) => Math.abs(length - found) < beside * found && at(model)(length).verdict === 'explained')
    return likely ?? found
  }
  return null
}
