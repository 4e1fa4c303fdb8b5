import type { Limiter, LimiterSettings, MakeLimiter } from '../../certificate/limiters.js'
import { type Random, seededRandom } from '../../kit/random.js'
import type { Shown } from '../shown-history.js'
import { historyOf } from './made-history.js'
import { logUniform, nearNetwork } from './scenarios.js'
import { simulate } from './simulation.js'
import { type Lane, type PhaseName, trafficOf } from './traffic.js'

/** A limiter, and what it has left: a twin with the same seed is asked until it refuses. */
const telling = (make: () => Limiter, most: number) => {
  const limiter = make()
  const asked: number[] = []
  return {
    decide(nowMs: number): boolean {
      asked.push(nowMs)
      return limiter.decide(nowMs)
    },
    left(): number {
      const twin = make()
      for (const at of asked) twin.decide(at)
      const nowMs = asked[asked.length - 1]
      let left = 0
      while (left < most && twin.decide(nowMs)) left += 1
      return left
    },
  }
}

/** What somebody else sends: single requests now and then, or several at once, at any time. */
const othersLanes = (random: Random, limit: number, windowMs: number, untilMs: number): Lane[] => {
  const lanes: Lane[] = []
  const everyMs = windowMs * random.pick([0.1, 0.3, 0.7, 1.5, 2.5])
  const atOnce = random.float() < 0.5 ? 1 : random.int(1, Math.ceil(limit / 3))
  for (let at = everyMs * random.float(); at < untilMs; at += everyMs * (0.5 + random.float()))
    lanes.push({ startMs: at, count: atOnce, everyMs: 0 })
  return lanes
}

const phases: readonly PhaseName[] = ['burstAndProbe', 'split', 'boundary', 'sequence', 'burstAndProbe']

/** A run on a key that somebody else may share, against a limiter that shows what it has left. */
export const shownKey = (
  make: MakeLimiter,
  seed: number,
  { areOthers, mostLimit = 60 }: { readonly areOthers: boolean; readonly mostLimit?: number },
): Shown => {
  const random = seededRandom(seed)
  const limit = Math.round(logUniform(random, 10, mostLimit))
  const windowMs = 6000
  const settings: LimiterSettings = { limit, windowMs, epochOffsetMs: windowMs * random.float(), random }
  const own = trafficOf(phases, limit, windowMs, 10_000)
  const untilMs = own[own.length - 1].startMs + windowMs
  const limiter = telling(() => make({ ...settings, random: seededRandom(seed + 1) }), limit)
  const left: number[] = []
  const shows: Limiter = {
    decide(nowMs) {
      const isAdmitted = limiter.decide(nowMs)
      left.push(isAdmitted ? limiter.left() : Number.NaN)
      return isAdmitted
    },
  }
  const others = areOthers ? [{ lanes: othersLanes(random, limit, windowMs, untilMs), limiter }] : []
  const network = nearNetwork(logUniform(random, 0.1, 20), random)
  const [events] = simulate([{ lanes: own, limiter: shows }, ...others], network)
  const shown = events.map((event, i) => ({ ...event, left: left[i] })).sort((a, b) => a.sentMs - b.sentMs)
  const priorUntilMs = shown[0].sentMs
  return {
    history: historyOf(shown, { clockErrorMs: 1, priorUntilMs }),
    left: Float64Array.from(shown, (each) => each.left),
    window: { limit, windowMs },
  }
}
