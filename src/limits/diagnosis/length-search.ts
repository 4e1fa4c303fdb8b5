import type { Explanation } from '../models/explanation.js'

/** Lengths of a window, in milliseconds, both bounds included. */
export interface Lengths {
  readonly from: number
  readonly to: number
}

/** How far two lengths are apart, whichever is the longer one. */
export const distance = (length: number, other: number): number => Math.abs(Math.log(length / other))

/** Of the logarithm of the length: about the width of the valley around the true length, after a dozen windows. */
const coarseStep = 0.01
/** In so many places that come near a length is looked for that explains everything. */
const mostPlaces = 8
const descents = 12
const bisections = 30

/** What a model says of a history with windows of some length. */
export type At = (length: number) => Explanation

/** Whether all that stands against a length is refused requests: most often the model gives something back too early. */
const isOnlyEarly = (explanation: Explanation): boolean =>
  explanation.verdict === 'refuted' && explanation.reason === 'early-refusal'

/** Halves the lengths between two against which different things stand, until the history is explained. */
export const byBisection = (at: At, { from, to }: Lengths, isEarlyBelow = true): number | null => {
  let [low, high] = [from, to]
  for (let round = 0; round < bisections; round++) {
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

/** How many exchanges are to be explained away; 0 where the history is explained. */
const misfitOf = (explanation: Explanation): number =>
  explanation.verdict === 'explained' ? 0 : explanation.overAdmitted + explanation.earlyRefused

/** Between neighbours of a row against which different things stand. */
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

/** Downhill, by ever smaller steps, from those of a row that have less to explain away than their neighbours. */
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
  for (let round = 0; round < descents && least > 0; round++, step /= 2) {
    for (const other of [length * Math.exp(step), length * Math.exp(-step)]) {
      const found = misfitOf(at(other))
      if (found < least) [length, least] = [other, found]
    }
  }
  return least === 0 ? length : null
}

/** Where longer windows may admit more as well as less: a row of lengths, and closely where it comes near. */
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
