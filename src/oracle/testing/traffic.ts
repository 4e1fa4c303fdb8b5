/** One connection's work: `count` requests, each sent once the last is answered, but not before its turn. */
export interface Lane {
  readonly startMs: number
  readonly count: number
  readonly everyMs: number
}

const burst = (startMs: number, requests: number, connections: number): Lane[] =>
  Array.from({ length: Math.min(connections, requests) }, (_, index) => ({
    startMs: startMs + index * 0.01,
    count: Math.floor((requests - 1 - index) / connections) + 1,
    everyMs: 0,
  }))

const paced = (startMs: number, requests: number, overMs: number, connections: number): Lane[] => {
  const everyMs = overMs / requests
  return Array.from({ length: Math.min(connections, requests) }, (_, index) => ({
    startMs: startMs + index * everyMs,
    count: Math.floor((requests - 1 - index) / connections) + 1,
    everyMs: everyMs * connections,
  }))
}

const one = (startMs: number): Lane => ({ startMs, count: 1, everyMs: 0 })

/** The phases of a run: each has lanes, and the time from its start to that of the next phase. */
const phases = {
  /** A burst as the key's first requests. */
  coldStart: (limit: number, windowMs: number) => ({
    lasts: 2.1 * windowMs,
    lanes: burst(0, Math.ceil(1.5 * limit), 50),
  }),
  /** A window opened by a single request, a burst beyond the limit, and a gentle probe until the quota is back. */
  burstAndProbe: (limit: number, windowMs: number) => ({
    lasts: 2.2 * windowMs,
    lanes: [
      one(0),
      ...burst(0.02 * windowMs, Math.ceil(1.5 * limit), 50),
      ...paced(0.25 * windowMs, 10, 0.9 * windowMs, 1),
    ],
  }),
  split: (limit: number, windowMs: number) => ({
    lasts: 2.2 * windowMs,
    lanes: [
      one(0),
      ...burst(0.02 * windowMs, Math.max(1, Math.floor(limit / 2) - 1), 50),
      ...burst(0.85 * windowMs, Math.ceil(limit / 2), 50),
      ...burst(1.05 * windowMs, limit, 50),
    ],
  }),
  /** Evenly, a tenth below the limit, over two windows: no limiter may refuse any of it. */
  steady: (limit: number, windowMs: number) => ({
    lasts: 3.1 * windowMs,
    lanes: paced(0, Math.floor(1.8 * limit), 2 * windowMs, 4),
  }),
  boundary: (limit: number, windowMs: number) => ({
    lasts: 2.3 * windowMs,
    lanes: [one(0), ...burst(0.96 * windowMs, limit, 50), ...burst(1.04 * windowMs, limit, 50)],
  }),
  overload: (limit: number, windowMs: number) => ({
    lasts: 4.1 * windowMs,
    lanes: paced(0, Math.ceil(4.5 * limit), 3 * windowMs, 50),
  }),
  /** After more than the limit has been admitted: far beyond it, to see where it ends. */
  deepBurst: (limit: number, windowMs: number) => ({
    lasts: 2.1 * windowMs,
    lanes: [one(0), ...burst(0.02 * windowMs, 6 * limit, 50)],
  }),
  sequence: (limit: number, windowMs: number) => ({
    lasts: 1.8 * windowMs,
    lanes: [{ startMs: 0, count: limit + 2, everyMs: 0 }],
  }),
}
export type PhaseName = keyof typeof phases

/** All phases in a row, with an idle window between two. */
export const trafficOf = (names: readonly PhaseName[], limit: number, windowMs: number, startMs = 0): Lane[] => {
  let at = startMs
  return names.flatMap((name) => {
    const { lanes, lasts } = phases[name](limit, windowMs)
    const shifted = lanes.map((lane) => ({ ...lane, startMs: lane.startMs + at }))
    at += lasts
    return shifted
  })
}
