import type { Meter } from '../limiters/limiter.js'

/** Counts with whichever meter counts at a moment. */
const countedBy = (meterAt: (atMs: number) => Meter): Meter => ({
  available: (atMs) => meterAt(atMs).available(atMs),
  take: (atMs) => meterAt(atMs).take(atMs),
  refund: (atMs) => meterAt(atMs).refund(atMs),
  resetMs: (atMs) => meterAt(atMs).resetMs(atMs),
  admitsAtMs: (atMs, cost) => meterAt(atMs).admitsAtMs(atMs, cost),
  forgetAtMs: () => Number.POSITIVE_INFINITY,
})

/** Lets requests in by what was left when it looked last, which is up to so long ago. */
export const readFromCache = (meter: Meter, ageMs: number): Meter => {
  let [left, seenMs] = [0, Number.NEGATIVE_INFINITY]
  return {
    ...meter,
    available(atMs) {
      if (atMs - seenMs >= ageMs) [left, seenMs] = [meter.available(atMs), atMs]
      return left
    },
  }
}

/** Counts in the store, which is out of reach for the last third of so long each time; a fallback begins from nothing then. */
export const withFallback = (open: (nowMs: number) => Meter, nowMs: number, periodMs: number): Meter => {
  const store = open(nowMs)
  let [fallback, endsMs] = [store, nowMs]
  const outageMs = periodMs / 3
  const untilNextMs = (atMs: number) => periodMs - ((atMs - nowMs) % periodMs)
  const isOut = (atMs: number) => untilNextMs(atMs) <= outageMs
  const changesMs = (atMs: number) => atMs + untilNextMs(atMs) - (isOut(atMs) ? 0 : outageMs)
  const meterAt = (atMs: number) => {
    if (!isOut(atMs)) return store
    if (atMs >= endsMs) [fallback, endsMs] = [open(atMs), changesMs(atMs)]
    return fallback
  }
  return {
    ...countedBy(meterAt),
    admitsAtMs(atMs, cost) {
      const ownMs = meterAt(atMs).admitsAtMs(atMs, cost)
      const changeMs = changesMs(atMs)
      if (ownMs <= changeMs) return ownMs
      // The fallback is followed by the store as it was left, and that by a new fallback.
      return isOut(atMs) ? Math.min(store.admitsAtMs(changeMs, cost), changesMs(changeMs)) : changeMs
    },
  }
}

/** Forgets all that was counted so long after it has begun to count. */
export const forgetful = (open: (nowMs: number) => Meter, nowMs: number, afterMs: number): Meter => {
  let [meter, dueMs] = [open(nowMs), nowMs + afterMs]
  const meterAt = (atMs: number) => {
    if (atMs >= dueMs) [meter, dueMs] = [open(atMs), atMs + afterMs]
    return meter
  }
  return {
    ...countedBy(meterAt),
    admitsAtMs: (atMs, cost) => Math.min(meterAt(atMs).admitsAtMs(atMs, cost), dueMs),
  }
}

/** Two nodes take turns, and tell each other so often what they let in. */
export const addingUpLate = (shared: Meter, everyMs: number): Meter => {
  const untold: number[][] = [[], []]
  let [turn, toldMs] = [0, Number.NEGATIVE_INFINITY]
  const own = () => untold[turn % untold.length]
  const addUp = (atMs: number) => {
    if (atMs - toldMs < everyMs) return
    toldMs = atMs
    for (const takenMs of untold.flat().sort((a, b) => a - b)) shared.take(takenMs)
    for (const each of untold) each.length = 0
  }
  return {
    ...shared,
    available(atMs) {
      addUp(atMs)
      return Math.max(0, shared.available(atMs) - own().length)
    },
    take: (atMs) => void own().push(atMs),
    resetMs(atMs) {
      // This is asked last about a request: the next request goes to the next node.
      turn += 1
      return shared.resetMs(atMs)
    },
    admitsAtMs: (atMs) => (shared.available(atMs) > own().length ? atMs : shared.resetMs(atMs)),
    forgetAtMs: () => Number.POSITIVE_INFINITY,
  }
}
