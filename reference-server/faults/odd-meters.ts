import type { QuotaWindow } from '../../src/contract/plans.js'
import { roundingError, tokenBucket } from '../limiters/buckets.js'
import { type Limiter, type Meter, meterOf } from '../limiters/limiter.js'
import { fixedWindow, fixedWindowFirstRequest, type Window } from '../limiters/windows.js'

/** Counts with the meter that `meterAt` gives for the moment. */
export const countedBy = (meterAt: (atMs: number) => Meter): Meter => ({
  available: (atMs) => meterAt(atMs).available(atMs),
  take: (atMs) => meterAt(atMs).take(atMs),
  refund: (atMs) => meterAt(atMs).refund(atMs),
  resetMs: (atMs) => meterAt(atMs).resetMs(atMs),
  admitsAtMs: (atMs, cost) => meterAt(atMs).admitsAtMs(atMs, cost),
  forgetAtMs: () => Number.POSITIVE_INFINITY,
})

/** Nodes that take turns, each with its own count. They name the wait after which all of them serve. */
export const countingAlone = (count: number, open: () => Meter): Meter => {
  const nodes = Array.from({ length: count }, open)
  let turn = 0
  const latest = (moment: (each: Meter) => number) => Math.max(...nodes.map(moment))
  return {
    ...countedBy(() => nodes[turn % nodes.length]),
    resetMs(atMs) {
      // This is the last question about a request: the next request goes to the next node.
      turn += 1
      return latest((each) => each.resetMs(atMs))
    },
    admitsAtMs: (atMs, cost) => latest((each) => each.admitsAtMs(atMs, cost)),
    forgetAtMs: () => latest((each) => each.forgetAtMs()),
  }
}

/** Counts only every other admission: the first, the third and so on. */
export const losingCounts = (meter: Meter): Meter => {
  let taken = 0
  return {
    ...meter,
    take(atMs) {
      taken += 1
      if (taken % 2 !== 0) meter.take(atMs)
    },
  }
}

type OpenMeter = (allowance: QuotaWindow, nowMs: number) => Meter

/** A window opened by its first request, and renewed by each request for which `renews` holds: its end moves. */
export const renewedWindow =
  (renews: (used: number, limit: number) => boolean): OpenMeter =>
  (allowance, nowMs) => {
    const window = fixedWindowFirstRequest(allowance)
    return meterOf(
      {
        ...window,
        take(state, atMs) {
          const taken = window.take(state, atMs)
          const stayed = taken.startMs === state.startMs
          return stayed && renews(state.used, allowance.limit) ? { ...taken, startMs: atMs } : taken
        },
      },
      nowMs,
    )
  }

export const everyRequestRenews = renewedWindow(() => true)

/** Windows opened by their first request, which is shown as counted, though the count begins with the second. */
export const uncountedOpener: OpenMeter = (allowance, nowMs) => {
  const window = fixedWindowFirstRequest(allowance)
  const limiter: Limiter<Window & { readonly isFirstForgotten: boolean }> = {
    ...window,
    start: () => ({ ...window.start(nowMs), isFirstForgotten: false }),
    take(state, atMs) {
      const taken = window.take(state, atMs)
      if (taken.startMs !== state.startMs) return { ...taken, isFirstForgotten: false }
      return { ...taken, used: taken.used - (state.isFirstForgotten ? 0 : 1), isFirstForgotten: true }
    },
    refund: (state, atMs) => ({ ...state, ...window.refund(state, atMs) }),
  }
  return meterOf(limiter, nowMs)
}

/** Windows opened by their first request; all but the first window admit one less. */
export const laterWindowsShort: OpenMeter = ({ limit, windowMs }) => {
  let [endMs, left] = [Number.NEGATIVE_INFINITY, limit]
  const hasEnded = (atMs: number) => atMs >= endMs
  const leftAt = (atMs: number) => (endMs > 0 && hasEnded(atMs) ? limit - 1 : left)
  return {
    available: leftAt,
    take(atMs) {
      left = leftAt(atMs) - 1
      if (hasEnded(atMs)) endMs = atMs + windowMs
    },
    refund() {
      left += 1
    },
    resetMs: (atMs) => (hasEnded(atMs) ? atMs + windowMs : endMs),
    admitsAtMs: (atMs) => (leftAt(atMs) > 0 ? atMs : endMs),
    // A fresh meter would have a first window again.
    forgetAtMs: () => Number.POSITIVE_INFINITY,
  }
}

/** Refuses the first request after a window's end; the one after it opens the next window. */
export const lateToTurn = (meter: Meter): Meter => {
  let [endMs, refusedMs] = [Number.POSITIVE_INFINITY, Number.NaN]
  const isRefused = (atMs: number) => {
    if (atMs >= endMs) [endMs, refusedMs] = [Number.POSITIVE_INFINITY, atMs]
    return atMs === refusedMs
  }
  return {
    ...meter,
    available: (atMs) => (isRefused(atMs) ? 0 : meter.available(atMs)),
    take(atMs) {
      meter.take(atMs)
      endMs = meter.resetMs(atMs)
    },
    forgetAtMs: () => Number.POSITIVE_INFINITY,
  }
}

/** The number of cells in a ring: each counts the admissions of a tenth of a window. */
const cells = 10

/**
 * A ring of cells that each request turns by the whole cells since the last turn. If it turns on from the moment of that
 * request, frequent requests never turn it; if from the end of a cell, a cell is forgotten up to its length too soon.
 */
export const ringOfCells = (turnsFrom: 'request' | 'cell', { limit, windowMs }: QuotaWindow, nowMs: number): Meter => {
  const cellMs = windowMs / cells
  let [used, turnedMs] = [new Array<number>(cells).fill(0), nowMs]
  const turn = (atMs: number) => {
    const passed = Math.max(0, Math.floor((atMs - turnedMs) / cellMs))
    used = [...new Array<number>(Math.min(passed, cells)).fill(0), ...used].slice(0, cells)
    turnedMs = turnsFrom === 'cell' ? turnedMs + passed * cellMs : Math.max(turnedMs, atMs)
    return used
  }
  const left = (atMs: number) => limit - turn(atMs).reduce((sum, each) => sum + each, 0)
  /** When this many cells will have passed, if no request comes before. */
  const passedMs = (count: number) => turnedMs + count * cellMs
  const emptyMs = (atMs: number) => {
    const latest = turn(atMs).findIndex((each) => each > 0)
    return latest === -1 ? atMs : passedMs(cells - latest)
  }
  const count = (by: number) => (atMs: number) => {
    turn(atMs)[0] += by
  }
  return {
    available: left,
    take: count(1),
    refund: count(-1),
    resetMs: emptyMs,
    admitsAtMs: (atMs) => (left(atMs) > 0 ? atMs : passedMs(cells - used.findLastIndex((each) => each > 0))),
    forgetAtMs: () => emptyMs(turnedMs),
  }
}

/** How much older the time stamp of every second request is, in windows. */
const olderBy = 1 / 600

/** A bucket that goes back to the older time stamp of every second request, and refills from there again. */
export const rewoundBucket: OpenMeter = ({ limit, windowMs }, nowMs) => {
  const isOlder = everyNth(2)
  let [tokens, stampMs] = [limit, nowMs]
  const tokensAt = (atMs: number) => Math.min(limit, tokens + Math.max(0, ((atMs - stampMs) * limit) / windowMs))
  const holdsAtMs = (wanted: number) => stampMs + ((wanted - tokens) * windowMs) / limit
  const change = (by: number) => (atMs: number) => {
    tokens = tokensAt(atMs) + by
    stampMs = isOlder() ? atMs - olderBy * windowMs : atMs
  }
  return {
    available: (atMs) => Math.floor(tokensAt(atMs) + roundingError),
    take: change(-1),
    refund: change(1),
    resetMs: (atMs) => Math.max(atMs, holdsAtMs(limit)),
    admitsAtMs: (atMs) => Math.max(atMs, holdsAtMs(1)),
    forgetAtMs: () => holdsAtMs(limit),
  }
}

/** A bucket that drops the fraction of a token whenever it admits a request. */
export const cuttingBucket: OpenMeter = (allowance, nowMs) => {
  const bucket = tokenBucket(allowance)
  return meterOf({ ...bucket, take: (state, atMs) => ({ tokens: bucket.available(state, atMs) - 1, atMs }) }, nowMs)
}

/** A bucket to which each request adds the whole tokens since the one before, served or not, and drops the rest. */
export const wholeTokenBucket: OpenMeter = ({ limit, windowMs }, nowMs) => {
  let [tokens, stampMs] = [limit, nowMs]
  const refill = (atMs: number) => {
    tokens = Math.min(limit, tokens + Math.floor(((atMs - stampMs) * limit) / windowMs + roundingError))
    stampMs = atMs
    return tokens
  }
  const holdsAtMs = (wanted: number) => stampMs + ((wanted - tokens) * windowMs) / limit
  return {
    available: refill,
    take: () => (tokens -= 1),
    refund: () => (tokens += 1),
    resetMs: (atMs) => Math.max(atMs, holdsAtMs(limit)),
    admitsAtMs: (atMs) => Math.max(atMs, holdsAtMs(1)),
    forgetAtMs: () => holdsAtMs(limit),
  }
}

/** A bucket that refills in steps, at each sixtieth of its window. */
export const lumpyBucket: OpenMeter = (allowance, nowMs) => {
  const stepMs = allowance.windowMs / 60
  const begun = (atMs: number) => Math.floor(atMs / stepMs) * stepMs
  const whole = (atMs: number) => Math.ceil(atMs / stepMs) * stepMs
  const bucket = meterOf(tokenBucket(allowance), begun(nowMs))
  return {
    available: (atMs) => bucket.available(begun(atMs)),
    take: (atMs) => bucket.take(begun(atMs)),
    refund: (atMs) => bucket.refund(begun(atMs)),
    resetMs: (atMs) => Math.max(atMs, whole(bucket.resetMs(begun(atMs)))),
    admitsAtMs: (atMs, cost) => Math.max(atMs, whole(bucket.admitsAtMs(begun(atMs), cost))),
    forgetAtMs: () => whole(bucket.forgetAtMs()),
  }
}

/** One timer ends the windows of all keys, but the named end is a window after the key's own first request. */
export const clearedByTimer: OpenMeter = (allowance, nowMs) => {
  const meter = meterOf(fixedWindow(allowance), nowMs)
  let [endMs, firstMs] = [Number.NEGATIVE_INFINITY, nowMs]
  const namedMs = (atMs: number) => (atMs < endMs ? firstMs : atMs) + allowance.windowMs
  return {
    ...meter,
    take(atMs) {
      meter.take(atMs)
      if (atMs >= endMs) [endMs, firstMs] = [meter.resetMs(atMs), atMs]
    },
    resetMs: namedMs,
    admitsAtMs: (atMs) => (meter.available(atMs) > 0 ? atMs : namedMs(atMs)),
  }
}

/** Admits nothing ever again after two consecutive requests for whose moments `isLostBetween` holds. */
export const lostOnce = (meter: Meter, isLostBetween: (lastMs: number, atMs: number) => boolean): Meter => {
  let [lastMs, isLost] = [Number.NaN, false]
  const touch = (atMs: number) => {
    isLost ||= isLostBetween(lastMs, atMs)
    lastMs = atMs
  }
  return {
    ...meter,
    available(atMs) {
      touch(atMs)
      return isLost ? 0 : meter.available(atMs)
    },
    admitsAtMs: (atMs) => (isLost ? meter.resetMs(atMs) : meter.admitsAtMs(atMs)),
    forgetAtMs: () => Number.POSITIVE_INFINITY,
  }
}

/** Starts again with a new meter after `idleMs` without a request. */
export const forgottenWhenIdle = (open: (nowMs: number) => Meter, nowMs: number, idleMs: number): Meter => {
  let [meter, lastMs] = [open(nowMs), nowMs]
  const touched = (atMs: number): Meter => {
    if (atMs - lastMs >= idleMs) meter = open(atMs)
    lastMs = atMs
    return meter
  }
  return { ...countedBy(touched), forgetAtMs: () => meter.forgetAtMs() }
}

export const everyNth = (n: number): (() => boolean) => {
  let asked = 0
  return () => {
    asked += 1
    return asked % n === 0
  }
}
