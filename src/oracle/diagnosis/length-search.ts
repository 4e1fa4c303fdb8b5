import type { Explanation } from '../models/explanation.js'

/** Lengths of a window, in milliseconds, both bounds included. */
export interface Lengths {
  readonly from: number
  readonly to: number
}

/** How far two lengths are apart, as the logarithm of their ratio: 30 s and 120 s are equally far from 60 s. */
export const distance = (length: number, other: number): number => Math.abs(Math.log(length / other))

/** From one length of the row to the next, as a logarithm: 1 %, which a dozen windows make a tenth of a window. */
const coarseStep = 0.01
/** Places of the row near which a length is looked for more closely: each costs a dozen or more trials. */
const mostPlaces = 8
/** Halvings of a step in a descent: half a per cent becomes 0.0001 %, which is 0.07 ms of a minute. */
const mostDescents = 12
/** Halvings of a range of lengths: a factor of 144 between its ends becomes less than a millionth of a per cent. */
const mostBisections = 30

/** What a model says of a history with windows of some length. */
export type At = (length: number) => Explanation

/** Whether only early refusals refute a length: as a rule it is too short then, for quota comes back too soon. */
const isOnlyEarly = (explanation: Explanation): boolean =>
  explanation.verdict === 'refuted' && explanation.reason === 'early-refusal'

/** Halves the range between a length that is too short and one that is too long, until one explains the history. */
export const byBisection = (at: At, { from, to }: Lengths, isEarlyBelow = true): number | null => {
  let [low, high] = [from, to]
  for (let round = 0; round < mostBisections; round++) {
    const middle = Math.sqrt(low * high)
    const explanation = at(middle)
    if (explanation.verdict === 'explained') return middle
    if (isOnlyEarly(explanation) === isEarlyBelow) low = middle
    else high = middle
  }
  return null
}

/** A length and what a model says with it. */
interface Said {
  readonly length: number
  readonly explanation: Explanation
}

/** How many exchanges a length leaves unexplained; 0 where it explains the history. */
const misfitOf = (explanation: Explanation): number =>
  explanation.verdict === 'explained' ? 0 : explanation.overAdmitted + explanation.earlyRefused

/** Looks between neighbours of a row of which one seems too short and the other too long. */
const atTurns = (at: At, row: readonly Said[]): number | null => {
  const turns = row
    .slice(1)
    .map((next, k) => ({ from: row[k], to: next }))
    .filter(({ from, to }) => isOnlyEarly(from.explanation) !== isOnlyEarly(to.explanation))
  for (const { from, to } of turns.slice(0, mostPlaces)) {
    const found = byBisection(at, { from: from.length, to: to.length }, isOnlyEarly(from.explanation))
    if (found !== null) return found
  }
  return null
}

/** Goes downhill, by ever smaller steps, from lengths that leave less unexplained than their neighbours in the row. */
const inValleys = (at: At, row: readonly Said[]): number | null => {
  const misfits = row.map(({ explanation }) => misfitOf(explanation))
  const valleys = row
    .map(({ length }, k) => ({
      length,
      misfit: misfits[k],
      isValley: !(misfits[k - 1] < misfits[k] || misfits[k + 1] < misfits[k]),
    }))
    .filter(({ isValley }) => isValley)
    .sort((a, b) => a.misfit - b.misfit)
  for (const { length } of valleys.slice(0, mostPlaces)) {
    const found = descend(at, length)
    if (found !== null) return found
  }
  return null
}

const descend = (at: At, from: number): number | null => {
  let [length, least, step] = [from, misfitOf(at(from)), coarseStep / 2]
  for (let round = 0; round < mostDescents && least > 0; round++, step /= 2) {
    for (const other of [length * Math.exp(step), length * Math.exp(-step)]) {
      const found = misfitOf(at(other))
      if (found < least) [length, least] = [other, found]
    }
  }
  return least === 0 ? length : null
}

/**
 * Searches a row of lengths from `from` to `to`, 1 % apart and the nearest to the plan's window first, and then more
 * closely where the row comes near: for windows opened by a request, where a longer one may admit more as well as less,
 * so that bisection alone would miss it.
 */
export const inRow = (at: At, windowMs: number, { from, to }: Lengths): number | null => {
  const steps = Math.ceil(Math.log(to / from) / coarseStep)
  const row = Array.from({ length: steps + 1 }, (_, k) => from * (to / from) ** (k / steps)).sort(
    (a, b) => distance(a, windowMs) - distance(b, windowMs),
  )
  const said: Said[] = []
  for (const length of row) {
    const explanation = at(length)
    if (explanation.verdict === 'explained') return length
    said.push({ length, explanation })
  }
  said.sort((a, b) => a.length - b.length)
  return atTurns(at, said) ?? inValleys(at, said)
}
