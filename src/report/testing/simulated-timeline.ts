import type { Timeline } from '../model.js'

export interface Simulated {
  readonly plan: string
  readonly limit: number
  readonly windowMs: number
  /** What the target admits in each window; the limit, if it keeps its contract. */
  readonly admitted: number
  /** Consecutive windows, each opened by a burst. */
  readonly windows: number
}

const roundTripMs = 4
const stretchMs = 200

/** The story of a key on a fixed-window limiter: in each window, a burst of one and a half times the limit. */
export const simulatedTimeline = ({ plan, limit, windowMs, admitted, windows }: Simulated): Timeline => {
  const points: Timeline['points'] = []
  const admissions: Timeline['admissions'] = []
  const sentEach = Math.max(Math.ceil(limit * 1.5), admitted + 10)
  for (let window = 0; window < windows; window += 1) {
    for (let at = 0; at < sentEach; at += 1) {
      const sent = 400 + window * windowMs + (at === 0 ? 0 : 200 + (at * windowMs) / (sentEach * 4))
      const served = at < admitted
      const received = sent + roundTripMs + (at % 7)
      points.push([sent, received, served ? 'admitted' : 'refused', Math.max(0, limit - at - 1)])
      if (served) admissions.push([received, admissions.length + 1])
    }
  }
  const inStretch = (at: number, wanted: string) =>
    points.filter(([sent, , outcome]) => Math.floor((sent - 400) / stretchMs) === at && outcome === wanted).length
  const counts = [...new Set(points.map(([sent]) => Math.floor((sent - 400) / stretchMs)))].map(
    (at): Timeline['counts'][number] => [at * stretchMs, inStretch(at, 'admitted'), inStretch(at, 'refused'), 0],
  )
  const starts = Array.from({ length: windows }, (_, at) => 400 + at * windowMs)
  return {
    plan,
    limit,
    windowMs,
    points,
    total: points.length,
    counts,
    stretchMs,
    admissions,
    resets: starts.map((start) => start + windowMs),
    retryMoments: starts.map((start) => start + windowMs),
  }
}
