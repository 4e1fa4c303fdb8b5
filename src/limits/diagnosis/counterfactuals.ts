import { type History, outcomes } from '../history.js'

interface Counterfactual {
  readonly sentMs: number
  readonly receivedMs: number
  readonly outcome: number
}

const toldFrom = (history: History, told: readonly Counterfactual[]): History => {
  const sorted = [...told].sort((a, b) => a.sentMs - b.sentMs)
  return {
    ...history,
    size: sorted.length,
    sentMs: Float64Array.from(sorted, (each) => each.sentMs),
    receivedMs: Float64Array.from(sorted, (each) => each.receivedMs),
    outcome: Uint8Array.from(sorted, (each) => each.outcome),
  }
}

const eventsOf = ({ size, sentMs, receivedMs, outcome }: History): Counterfactual[] =>
  Array.from({ length: size }, (_, i) => ({ sentMs: sentMs[i], receivedMs: receivedMs[i], outcome: outcome[i] }))

/** As if what other keys sent may have been charged to this one: some of it, or all, whatever limits they have. */
export const merged = (history: History, others: readonly History[]): History => {
  const charged = others.flatMap(eventsOf).map((event) => ({ ...event, outcome: outcomes.unknown }))
  return toldFrom(history, [...eventsOf(history), ...charged])
}

/** As if the first admission had cost nothing. */
export const firstAdmissionFree = (history: History): History => {
  const first = history.outcome.indexOf(outcomes.admitted)
  return { ...history, outcome: history.outcome.map((each, index) => (index === first ? outcomes.excused : each)) }
}

/**
 * As if the first admission of each window had cost nothing: one that comes when the window before is over, and a
 * window's length after the last that was free. The window begins with the next request. Decisions are taken to fall in
 * the middle of their intervals.
 */
export const firstOfEachFree = (history: History, windowMs: number): History => {
  let [freeUntilMs, endMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const outcome = history.outcome.map((each, i) => {
    const decidedMs = (history.sentMs[i] + history.receivedMs[i]) / 2
    if (each !== outcomes.admitted || decidedMs < endMs) return each
    if (decidedMs < freeUntilMs) {
      endMs = decidedMs + windowMs
      return each
    }
    freeUntilMs = decidedMs + windowMs
    return outcomes.excused
  })
  return { ...history, outcome }
}

/** As if each refusal could count too, from its answer on. */
export const refusalsCounted = (history: History): History => {
  const events = eventsOf(history)
  const shadows = events.filter(({ outcome }) => outcome === outcomes.refused)
  return toldFrom(history, [
    ...events,
    ...shadows.map(({ receivedMs }) => ({
      sentMs: receivedMs + 1e-6,
      receivedMs: receivedMs + 1e-6,
      outcome: outcomes.unknown,
    })),
  ])
}

/** The requests of a history at these places, in any order, as a history. */
export const partOf = (history: History, places: readonly number[]): History =>
  toldFrom(
    history,
    places.map((i) => ({
      sentMs: history.sentMs[i],
      receivedMs: history.receivedMs[i],
      outcome: history.outcome[i],
    })),
  )
