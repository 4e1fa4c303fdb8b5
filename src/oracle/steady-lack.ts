import { bucketModels, type ModelName } from '../contract/limiter-models.js'
import { mostAtOnce, type QuotaWindow } from '../contract/plans.js'
import { countBelow, countUpTo, placesOf } from '../kit/numbers.js'
import { type History, outcomes } from '../readings/history.js'
import { leastIn, mostIn, type Passage, passageOf } from '../readings/passage.js'
import type { Shown } from './shown-history.js'

/** How a limiter may count. */
interface Counting {
  /** How often each admission. */
  readonly each?: number
  /** One refusal in how many admissions; absent if refusals don't count. */
  readonly refusalsIn?: number
  /** How much windows on a grid give back; absent if all. */
  readonly refill?: number
}

/** How much a limiter can have counted when it answered: at least and at most. */
type Used = (sentMs: number, receivedMs: number) => { readonly least: number; readonly most: number }

/** What has certainly been counted, and what may have been: a row for each unit. */
interface Counted {
  readonly certain: Passage
  readonly possible: Passage
  readonly unit: number
  /** What an admission costs. */
  readonly own: number
  readonly window: QuotaWindow
  /** The most it counts; a limiter that counts refusals exceeds its limit. */
  readonly holds: number
}

const inLog = ({ certain, possible, unit, own, window: { windowMs } }: Counted): Used => {
  return (sentMs, receivedMs) => ({
    least: own + unit * leastIn(certain, receivedMs - windowMs, sentMs),
    most: unit * mostIn(possible, sentMs - windowMs, receivedMs),
  })
}

/** How much comes back between two instants. */
type ComesBack = (fromMs: number, toMs: number) => number

/** What is lacking after each of some instants at which a unit is taken out. */
const lackAfter = (instants: Float64Array, unit: number, comesBack: ComesBack, most: number) => {
  const after = new Float64Array(instants.length)
  const at = (taken: number, ms: number): number =>
    taken === 0 ? 0 : Math.max(0, after[taken - 1] - comesBack(instants[taken - 1], Math.max(ms, instants[taken - 1])))
  for (let i = 0; i < instants.length; i += 1) after[i] = Math.min(most, at(i, instants[i]) + unit)
  return at
}

const whereComesBack = (
  { certain, possible, unit, own, holds }: Counted,
  back: { readonly most: ComesBack; readonly least: ComesBack },
): Used => {
  const soonest = lackAfter(certain.sent, unit, back.most, holds)
  const latest = lackAfter(possible.received, unit, back.least, holds)
  return (sentMs, receivedMs) => {
    const before = countBelow(possible.received, sentMs)
    return {
      least: own + soonest(countUpTo(certain.received, sentMs), receivedMs),
      most: latest(before, sentMs) + unit * (countUpTo(possible.sent, receivedMs) - before),
    }
  }
}

const inBucket = (counted: Counted): Used => {
  const { limit, windowMs } = counted.window
  const evenly: ComesBack = (fromMs, toMs) => ((toMs - fromMs) * limit) / windowMs
  return whereComesBack(counted, { most: evenly, least: evenly })
}

/** A grid that gives back so much at each edge, for any phase in a range. */
const onGrid =
  (refill: number) =>
  (counted: Counted, fromMs: number, widthMs: number): Used => {
    const edgesUntil = (ms: number) => Math.floor((ms - fromMs) / counted.window.windowMs)
    return whereComesBack(counted, {
      most: (from, to) => refill * (edgesUntil(to) - edgesUntil(from - widthMs)),
      least: (from, to) => refill * Math.max(0, edgesUntil(to - widthMs) - edgesUntil(from)),
    })
  }

/** The weighted count of a sliding counter, for any phase of its grid in a range; near an edge, in either window. */
const inCounter = ({ certain, possible, unit, own, window }: Counted, fromMs: number, widthMs: number): Used => {
  const { windowMs } = window
  const weight = (agoMs: number) => Math.min(1, Math.max(0, 1 - agoMs / windowMs))
  const inWindow = (soon: number, sentMs: number, receivedMs: number) => {
    const late = soon + widthMs
    const least = leastIn(certain, late - windowMs, soon) * weight(receivedMs - soon)
    const most = mostIn(possible, soon - windowMs, late) * weight(sentMs - late)
    return {
      least: own + unit * (leastIn(certain, late, sentMs) + least),
      most: unit * (mostIn(possible, soon, receivedMs) + most),
    }
  }
  return (sentMs, receivedMs) => {
    const start = fromMs + windowMs * Math.floor((sentMs - fromMs) / windowMs)
    const found = inWindow(start, sentMs, receivedMs)
    const beside = [
      ...(sentMs < start + widthMs ? [start - windowMs] : []),
      ...(receivedMs >= start + windowMs ? [start + windowMs] : []),
    ].map((other) => inWindow(other, sentMs, receivedMs))
    return {
      least: Math.min(found.least, ...beside.map(({ least }) => least)),
      most: Math.max(found.most, ...beside.map(({ most }) => most)),
    }
  }
}

/** A sliding counter's phase is searched in ranges, halved from the first number per window to the second. */
const [widestRanges, finestRanges] = [64, 16_384]

/** Numbers that are all rounded the same way differ by less than this from the exact values. */
const rounded = 1

/** Whether all answers after an instant may show the same amount less than a limiter had left, each rounded the same way. */
const isSteady = (
  history: History,
  left: Float64Array,
  used: Used,
  { limit, burst = limit }: QuotaWindow,
  sinceMs: number,
) => {
  let [most, least] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < history.size; i += 1) {
    if (Number.isNaN(left[i])) continue
    const range = used(history.sentMs[i], history.receivedMs[i])
    const lacking = burst - left[i]
    // A limiter that counts refusals may have exceeded its limit, and shows 0.
    if (left[i] > 0) least = Math.min(least, lacking - range.least)
    if (history.sentMs[i] >= sinceMs) most = Math.max(most, lacking - range.most)
    if (most - least >= rounded) return false
  }
  return true
}

/**
 * Whether a limiter that counts in the given way always shows the same number less than it has, so that nobody else can have
 * spent what is missing. The first window is left out: another limiter may show it, or it may have been used before.
 *
 * Example, a log of 60: answers that show 58, 57 and 56 after one, two and three requests lack one each. If the third showed
 * 54, somebody else has spent two.
 */
export const lacksTheSame = (
  model: ModelName,
  { history, left, window: agreed }: Shown,
  window: QuotaWindow,
  { each = 1, refusalsIn, refill }: Counting = {},
): boolean => {
  const unit = refusalsIn === undefined ? each : each / refusalsIn
  const { admitted, unknown } = outcomes
  const unitsWith = (...meant: readonly number[]) => {
    const timesOf = (outcome: number) => {
      if (outcome === outcomes.refused) return refusalsIn === undefined ? 0 : 1
      return meant.includes(outcome) ? (refusalsIn ?? 1) : 0
    }
    return passageOf(
      history,
      placesOf(history.size).flatMap((i) => Array<number>(timesOf(history.outcome[i])).fill(i)),
    )
  }
  const holds = refusalsIn === undefined ? mostAtOnce(window) : Number.POSITIVE_INFINITY
  const [certain, possible] = [unitsWith(admitted), unitsWith(admitted, unknown)]
  const counted: Counted = { certain, possible, unit, own: each, window, holds }
  const { windowMs } = window
  const begunMs = history.sentMs[0]
  const steady = (used: Used, windows: number) =>
    isSteady(history, left, used, window, begunMs + windows * agreed.windowMs)
  if (model === 'sliding-log') return steady(inLog(counted), 1)
  if (bucketModels.includes(model)) return steady(inBucket(counted), 1)
  const [used, before] = refill === undefined ? [inCounter, 2] : [onGrid(refill), 1]
  const isSteadyFrom = (fromMs: number, widthMs: number): boolean =>
    steady(used(counted, fromMs, widthMs), before) &&
    (widthMs <= windowMs / finestRanges ||
      isSteadyFrom(fromMs, widthMs / 2) ||
      isSteadyFrom(fromMs + widthMs / 2, widthMs / 2))
  const widthMs = windowMs / widestRanges
  return Array.from({ length: widestRanges }, (_, i) => i * widthMs).some((fromMs) => isSteadyFrom(fromMs, widthMs))
}
