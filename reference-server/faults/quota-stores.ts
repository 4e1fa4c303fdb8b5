import { type Arrival, type Departure, together } from '../behaviour.js'
import { type Answer, withHeaders } from '../http/answer.js'
import { algorithms } from '../limiters/algorithms.js'
import type { Meter } from '../limiters/limiter.js'
import { whenKnown } from '../pipeline.js'
import { type Ruling, ruled } from '../stores/ruling.js'
import { apart } from './bucket-faults.js'
import { fault, faultsOf } from './fault.js'
import { countedBy, everyNth } from './odd-meters.js'
import { deciding, enforces, fixedPlans, metersMinute } from './quota-departures.js'

/** Decides by a count that it read up to `ageMs` ago. */
const readFromCache = (meter: Meter, ageMs: number): Meter => {
  let [left, seenMs] = [0, Number.NEGATIVE_INFINITY]
  return {
    ...meter,
    available(atMs) {
      if (atMs - seenMs >= ageMs) [left, seenMs] = [meter.available(atMs), atMs]
      return left
    },
  }
}

/** Counts in a store that is unreachable for the last third of each period; then a fallback counts from 0. */
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
      // After the fallback comes the store as it was left, then a new fallback.
      return isOut(atMs) ? Math.min(store.admitsAtMs(changeMs, cost), changesMs(changeMs)) : changeMs
    },
  }
}

/** Forgets its count `afterMs` after it began. */
export const forgetful = (open: (nowMs: number) => Meter, nowMs: number, afterMs: number): Meter => {
  let [meter, dueMs] = [open(nowMs), nowMs + afterMs]
  const meterAt = (atMs: number) => {
    if (atMs >= dueMs) [meter, dueMs] = [open(atMs), atMs + afterMs]
    return meter
  }
  return { ...countedBy(meterAt), admitsAtMs: (atMs, cost) => Math.min(meterAt(atMs).admitsAtMs(atMs, cost), dueMs) }
}

/** Forgets its count every second time that the limit is reached: the next request starts from 0. */
const forgettingAtLimit = (open: (nowMs: number) => Meter, nowMs: number): Meter => {
  const isForgotten = everyNth(2)
  let meter = open(nowMs)
  return {
    ...countedBy(() => meter),
    take(atMs) {
      meter.take(atMs)
      if (meter.available(atMs) === 0 && isForgotten()) meter = open(atMs)
    },
  }
}

/** Two nodes take turns, and tell each other every `everyMs` what they admitted. */
const addingUpLate = (shared: Meter, everyMs: number): Meter => {
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
      // This is the last question about a request: the next request goes to the next node.
      turn += 1
      return shared.resetMs(atMs)
    },
    admitsAtMs: (atMs) => (shared.available(atMs) > own().length ? atMs : shared.resetMs(atMs)),
    forgetAtMs: () => Number.POSITIVE_INFINITY,
  }
}

/** A cache in front of the limiter keeps each 429 of a fixed plan for a quarter of a minute, and repeats it. */
const cachesRefusals: Departure = (before, { minuteMs }) => {
  const kept = new Map<string, { readonly atMs: number; readonly ruling: Ruling; answer?: Answer }>()
  const keptFor = ({ request: { method, url, headers }, nowMs }: Arrival) => {
    const name = `${method} ${url} ${headers.authorization}`
    const found = kept.get(name)
    return { name, found: found && nowMs - found.atMs < minuteMs / 4 ? found : undefined }
  }
  return {
    meter(store, arrival, charges) {
      const { name, found } = keptFor(arrival)
      if (found) return found.ruling
      return whenKnown(before.meter(store, arrival, charges), (ruling) => {
        if (ruling.outcome === 'refused' && arrival.account?.plan !== 'enterprise')
          kept.set(name, { atMs: arrival.nowMs, ruling })
        return ruling
      })
    },
    finish(answer, call) {
      const { found } = keptFor(call)
      if (answer.status !== 429 || !found) return answer
      found.answer ??= withHeaders(answer, { Date: new Date(call.nowMs).toUTCString() })
      return withHeaders(found.answer, { Age: String(Math.floor((call.nowMs - found.atMs) / 1000)) })
    },
  }
}

/** Replaces how a fixed plan's minute is counted, with meters of the original kind. */
const countsMinute = (open: (meterAt: (nowMs: number) => Meter, nowMs: number, windowMs: number) => Meter): Departure =>
  metersMinute((before, window, nowMs) => open((atMs) => before.openMeter(window, atMs), nowMs, window.windowMs))

export const storeFaults = faultsOf('QUOTA', {
  // Answers also show the cached count.
  'count-read-from-cache': fault('Counts are read from a cache, up to 1/100 minute old.', 'QUOTA-1', 'RATE-4').by(
    countsMinute((open, nowMs, windowMs) => readFromCache(open(nowMs), windowMs / 100)),
  ),
  'fallback-store-adds-its-limit': fault('For a third of each half minute, a fallback counts from 0.', 'QUOTA-1').by(
    countsMinute((open, nowMs, windowMs) => withFallback(open, nowMs, windowMs / 2)),
  ),
  'reload-fills-quotas': fault('All counts are forgotten every three quarters of a minute.', 'QUOTA-1').by(
    countsMinute((open, nowMs, windowMs) => forgetful(open, nowMs, 0.75 * windowMs)),
  ),
  'counts-forgotten': fault('Every second time that a limit is reached, the count is forgotten.', 'QUOTA-1').by(
    countsMinute(forgettingAtLimit),
  ),
  'refusal-repeated': fault(
    'A cache repeats each 429 for a quarter of a minute.',
    'QUOTA-2',
    'THROTTLE-4',
    'THROTTLE-5',
  ).byEach(() => cachesRefusals),
  'node-keeps-its-share': fault('Four nodes keep a quarter each, and one gets every request.', 'QUOTA-2').by(
    enforces('minute', fixedPlans, (limit) => Math.ceil(limit / 4)),
  ),
  // Until then, each node shows its own count.
  'nodes-add-up-late': fault('Two nodes add up their counts only every twentieth of a minute.', 'QUOTA-1', 'RATE-4').by(
    countsMinute((open, nowMs, windowMs) => addingUpLate(open(nowMs), windowMs / 20)),
  ),
  'slow-store-admits': fault('Every tenth request is served without waiting for a slow store.', 'QUOTA-1').byEach(
    (_, { minuteMs, sleep }) => {
      const isSlow = everyNth(10)
      return deciding(async (tally, nowMs, asBefore) => {
        const ruling = await asBefore()
        if (!isSlow()) return ruling
        await sleep(minuteMs / 100)
        return ruled(tally, nowMs, 'admitted')
      })
    },
  ),
  // A request counted after its window's end becomes the first in the next window's count.
  'counted-behind-the-edge': fault('A count goes up 0.2 s late, even if its minute is over by then.', 'QUOTA-1').byEach(
    (_, { minuteMs, sleep, self }) =>
      together(
        metersMinute((_, window, nowMs) => algorithms['fixed-window'](window, nowMs)),
        deciding(async (tally, nowMs, asBefore) => {
          const [minute, ...others] = tally.meters
          const endMs = minute.resetMs(nowMs)
          await sleep(minuteMs / 300)
          const laterMs = self().nowMs()
          if (laterMs < endMs) return asBefore(laterMs)
          const forgotten = algorithms['fixed-window'](tally.subject.windows[0], nowMs)
          forgotten.take(nowMs)
          return ruled({ ...tally, meters: [forgotten, ...others] }, nowMs, 'admitted')
        }),
      ),
  ),
  'blanks-open-bucket': apart(
    'number of spaces before the key',
    ({ request }) => / {2,}/.exec(request.headers.authorization ?? '')?.[0] ?? '',
  ),
})
