import { type History, outcomes } from './history.js'

interface Told {
  readonly sentMs: number
  readonly receivedMs: number
  readonly outcome: number
}

const toldFrom = (history: History, told: readonly Told[]): History => {
  const sorted = [...told].sort((a, b) => a.sentMs - b.sentMs)
  return {
    ...history,
    size: sorted.length,
    sentMs: Float64Array.from(sorted, (each) => each.sentMs),
    receivedMs: Float64Array.from(sorted, (each) => each.receivedMs),
    outcome: Uint8Array.from(sorted, (each) => each.outcome),
  }
}

const eventsOf = ({ size, sentMs, receivedMs, outcome }: History): Told[] =>
  Array.from({ length: size }, (_, i) => ({ sentMs: sentMs[i], receivedMs: receivedMs[i], outcome: outcome[i] }))

/** Several keys' histories as if they were one key's. */
export const merged = (history: History, others: readonly History[]): History =>
  toldFrom(history, [history, ...others].flatMap(eventsOf))

/** As if the first admission had cost nothing. */
export const firstAdmissionFree = (history: History): History => {
  const first = history.outcome.indexOf(outcomes.admitted)
  return { ...history, outcome: history.outcome.map((each, index) => (index === first ? outcomes.excused : each)) }
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

/** The part of a history from one index to before another. */
export const partOf = (history: History, from: number, to: number): History => ({
  ...history,
  size: to - from,
  sentMs: history.sentMs.subarray(from, to),
  receivedMs: history.receivedMs.subarray(from, to),
  outcome: history.outcome.subarray(from, to),
})
