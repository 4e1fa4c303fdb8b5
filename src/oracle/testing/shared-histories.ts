import type { QuotaWindow } from '../../contract/plans.js'
import { type Random, seededRandom } from '../../kit/random.js'
import { outcomes } from '../../readings/history.js'
import type { SharedQuota, SharedRequests } from '../shared-quota.js'
import { simulate } from './simulation.js'
import { trafficOf } from './traffic.js'

/** How much of a quota is spent at an instant, given the instants at which it counted. */
type Spent = (counted: readonly number[], nowMs: number, window: QuotaWindow) => number

const countSince = (counted: readonly number[], fromMs: number): number => counted.filter((at) => at >= fromMs).length

/** Limiters as functions of what they have counted, so that two can be asked before either counts. */
const spentIn = {
  'clock window': (counted, now, { windowMs }) => countSince(counted, Math.floor(now / windowMs) * windowMs),
  'window from the first': (counted, now, { windowMs }) => {
    let start = Number.NEGATIVE_INFINITY
    for (const at of counted) if (at >= start + windowMs) start = at
    return now >= start + windowMs ? 0 : countSince(counted, start)
  },
  log: (counted, now, { windowMs }) => counted.filter((at) => at > now - windowMs).length,
  'sliding counter': (counted, now, { windowMs }) => {
    const start = Math.floor(now / windowMs) * windowMs
    const inThis = countSince(counted, start)
    const inLast = countSince(counted, start - windowMs) - inThis
    return Math.floor(inLast * (1 - (now - start) / windowMs)) + inThis
  },
  bucket: (counted, now, { limit, windowMs }) => {
    let [missing, at] = [0, Number.NEGATIVE_INFINITY]
    for (const each of [...counted, now]) {
      missing = Math.max(0, missing - ((each - at) * limit) / windowMs) + 1
      at = each
    }
    // A small margin for rounding in the sums.
    return missing - 1 - 1e-6
  },
} as const satisfies Record<string, Spent>
const kinds = Object.keys(spentIn) as (keyof typeof spentIn)[]

export interface SharedHistory {
  readonly requests: SharedRequests
  readonly quotas: readonly SharedQuota[]
}

export interface SharedHistoryOptions {
  /** The limit that the first limiter uses, as a share of the stated one; 1 if it keeps it. */
  readonly firstShare?: number
  /** Whether others used the key before the run; if absent, in three runs of ten. */
  readonly usedBefore?: boolean
}

/** What one key sees if it counts in two quotas: both admit, or one refuses without saying which. */
export const sharedHistory = (
  windows: readonly [QuotaWindow, QuotaWindow],
  seed: number,
  { firstShare = 1, usedBefore }: SharedHistoryOptions = {},
): SharedHistory => {
  const random = seededRandom(seed)
  const [countsRefused, isUsed] = [random.float() < 0.5, usedBefore ?? random.float() < 0.3]
  const startMs = 100_000 + random.int(0, 1_000_000) + random.float()
  const limiters = windows.map((window, place) => ({
    window: { ...window, limit: Math.floor(window.limit * (place === 0 ? firstShare : 1)) },
    spent: spentIn[random.pick(kinds)],
    counted: isUsed ? usesBefore(random, window, startMs) : [],
  }))
  const decide = (now: number): boolean => {
    const hasRoom = limiters.map(({ window, spent, counted }) => spent(counted, now, window) < window.limit - 1 + 1e-9)
    if (hasRoom.every(Boolean)) for (const { counted } of limiters) counted.push(now)
    // Checked one after the other: the first has counted what the second refuses.
    else if (countsRefused && hasRoom[0]) limiters[0].counted.push(now)
    return hasRoom.every(Boolean)
  }
  const worst = Math.min(20, windows[0].windowMs / 20)
  const [events] = simulate([{ lanes: loadsOf(random, windows, startMs), limiter: { decide } }], {
    roundTripMs: () => worst * random.float() ** 2,
    lossRate: random.pick([0, 0, 0.02]),
    random,
  })
  const sorted = events.sort((a, b) => a.sentMs - b.sentMs)
  const requests: SharedRequests = {
    size: sorted.length,
    sentMs: Float64Array.from(sorted, ({ sentMs }) => sentMs),
    receivedMs: Float64Array.from(sorted, ({ receivedMs }) => receivedMs ?? Number.POSITIVE_INFINITY),
    outcome: Uint8Array.from(sorted, ({ outcome }) => outcomes[outcome]),
    waitMs: new Float64Array(sorted.length).fill(Number.NaN),
  }
  const quotas = windows.map((window) => ({
    window,
    part: new Int32Array(sorted.length),
    clockErrorMs: 0.01,
    priorUntilMs: isUsed ? startMs : Number.NEGATIVE_INFINITY,
    countsRefused,
  }))
  return { requests, quotas }
}

const usesBefore = (random: Random, { limit, windowMs }: QuotaWindow, untilMs: number): number[] =>
  Array.from({ length: random.int(0, limit) }, () => untilMs - windowMs * random.float()).sort((a, b) => a - b)

/** Loads that fit either quota, a few of each in random order. */
const loadsOf = (random: Random, windows: readonly QuotaWindow[], startMs: number) => {
  let at = startMs
  return Array.from({ length: 4 }, () => random.pick(windows)).flatMap(({ limit, windowMs }) => {
    const name = random.pick(['coldStart', 'burstAndProbe', 'split', 'steady', 'sequence'] as const)
    const lanes = trafficOf([name], limit, windowMs, at)
    at += windowMs * (0.4 + 2 * random.float())
    return lanes
  })
}
