import { countBelow, countUpTo, placesOf, valuesAt } from '../kit/numbers.js'
import type { History } from './history.js'

/** When some requests were sent and answered, each in ascending order: nobody asks which two belong together. */
export interface Passage {
  readonly sent: Float64Array
  /** Infinity for a request without an answer: it may be decided at any later time. */
  readonly received: Float64Array
}

type Times = Pick<History, 'sentMs' | 'receivedMs'>

/** Of some rows; a row that is named several times, such as once for each unit, counts as often. */
export const passageOf = ({ sentMs, receivedMs }: Times, rows: readonly number[]): Passage => ({
  sent: valuesAt(sentMs, rows).sort(),
  received: valuesAt(receivedMs, rows)
    .map((ms) => (Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms))
    .sort(),
})

/** At most how many were decided in a span: those sent by its end, less those answered before it. */
export const mostIn = ({ sent, received }: Passage, fromMs: number, toMs: number): number =>
  countUpTo(sent, toMs) - countBelow(received, fromMs)

/** At least how many were: those answered by its end, less those sent before it. */
export const leastIn = ({ sent, received }: Passage, fromMs: number, toMs: number): number =>
  Math.max(0, countUpTo(received, toMs) - countBelow(sent, fromMs))

/** The most that were certainly decided within a span of this length, wherever it lies. */
export const mostWithin = ({ sent, received }: Passage, spanMs: number): number => {
  let [most, answered] = [0, 0]
  for (let before = 0; before < sent.length; before += 1) {
    while (received[answered] <= sent[before] + spanMs) answered += 1
    most = Math.max(most, answered - before)
  }
  return most
}

/** Says whether some row of a key may have been in transit during a span; an unanswered request always is. */
export const underWay = (times: Times & Pick<History, 'size'>, isMeant: (row: number) => boolean) => {
  const passage = passageOf(times, placesOf(times.size, isMeant))
  return (fromMs: number, untilMs: number): boolean => mostIn(passage, fromMs, untilMs) > 0
}
