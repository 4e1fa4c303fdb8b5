import { placesOf } from '../../kit/numbers.js'
import { type History, outcomes, withOutcomes } from '../../readings/history.js'

interface Counterfactual {
  readonly sentMs: number
  readonly receivedMs: number
  readonly outcome: number
  readonly asked: number
}

/** Shorter than the gap between any two times in a history, so it changes no other order. */
const justAfterMs = 1e-6

const historyOfEvents = (history: History, events: readonly Counterfactual[]): History => {
  const sorted = [...events].sort((a, b) => a.sentMs - b.sentMs)
  return {
    ...history,
    size: sorted.length,
    sentMs: Float64Array.from(sorted, (each) => each.sentMs),
    receivedMs: Float64Array.from(sorted, (each) => each.receivedMs),
    outcome: Uint8Array.from(sorted, (each) => each.outcome),
    ...(history.asked ? { asked: Uint16Array.from(sorted, (each) => each.asked) } : {}),
  }
}

const eventsOf = ({ size, sentMs, receivedMs, outcome, asked }: History): Counterfactual[] =>
  placesOf(size).map((i) => ({
    sentMs: sentMs[i],
    receivedMs: receivedMs[i],
    outcome: outcome[i],
    asked: asked?.[i] ?? 1,
  }))

/** As if any requests of the other keys may have been counted on this one. */
export const merged = (history: History, others: readonly History[]): History => {
  const charged = others.flatMap(eventsOf).map((event) => ({ ...event, outcome: outcomes.unknown }))
  return historyOfEvents(history, [...eventsOf(history), ...charged])
}

/** As if the first admission had not been counted: 61 admissions and then a refusal fit a limit of 60. */
export const firstAdmissionFree = (history: History): History => {
  const first = history.outcome.indexOf(outcomes.admitted)
  return withOutcomes(history, (each, index) => (index === first ? outcomes.excused : each))
}

/**
 * As if the first admission of each window had not been counted: the one after the end of the window before, and W or more
 * after the last free one. The window itself begins with the next admission. With W = 60 s and admissions at 0, 1, 2 and 70
 * s, those at 0 and 70 s are free, and the window is [1, 61) s. Each decision is assumed to fall in the middle of its
 * interval.
 */
export const firstOfEachFree = (history: History, windowMs: number): History => {
  let [freeUntilMs, endMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return withOutcomes(history, (each, i) => {
    const decidedMs = (history.sentMs[i] + history.receivedMs[i]) / 2
    if (each !== outcomes.admitted || decidedMs < endMs) return each
    if (decidedMs < freeUntilMs) {
      endMs = decidedMs + windowMs
      return each
    }
    freeUntilMs = decidedMs + windowMs
    return outcomes.excused
  })
}

/** As if refusals right before an admission did not count: a window's first request, where the second one begins the window. */
export const withoutLateTurns = (history: History): History => {
  const { outcome } = history
  const isLate = (i: number) => outcome[i] === outcomes.refused && outcome[i + 1] === outcomes.admitted
  return withOutcomes(history, (each, i) => (isLate(i) ? outcomes.excused : each))
}

/**
 * As if each refusal may have been counted too, from just after its answer, so that it does not explain itself. The same for
 * excused requests: a limiter that counts refusals counts them.
 */
export const refusalsCounted = (history: History): History => {
  const events = eventsOf(history)
  const shadows = events.filter(({ outcome }) => outcome === outcomes.refused || outcome === outcomes.excused)
  return historyOfEvents(history, [
    ...events,
    ...shadows.flatMap(({ receivedMs, asked }) =>
      Array<Counterfactual>(asked).fill({
        sentMs: receivedMs + justAfterMs,
        receivedMs: receivedMs + justAfterMs,
        outcome: outcomes.unknown,
        asked: 1,
      }),
    ),
  ])
}
