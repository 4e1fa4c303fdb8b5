import { type Limiter, limiters } from '../../certificate/limiters.js'
import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { type Random, seededRandom } from '../../kit/random.js'
import type { History } from '../../readings/history.js'
import { onWholeMilliseconds } from './coarse-limiters.js'
import { defects, type SimulatedDefect } from './defects.js'
import { historyOf } from './made-history.js'
import { type Network, simulate } from './simulation.js'
import { type PhaseName, trafficOf } from './traffic.js'

export const logUniform = (random: Random, from: number, to: number): number => from * (to / from) ** random.float()

const phaseNames: readonly PhaseName[] = [
  'coldStart',
  'burstAndProbe',
  'split',
  'boundary',
  'steady',
  'overload',
  'sequence',
]

export interface TrueHistoryOptions {
  readonly leastLimit?: number
  readonly mostLimit?: number
  /** Whether others used the key before the run: always or never; if absent, in three runs of ten. */
  readonly usedBefore?: boolean
}

/** A true history of a model, and the window it kept, from a seed: any W, L, phases, delays, losses, clocks. */
export const trueHistory = (
  model: ModelName,
  seed: number,
  { leastLimit = 5, mostLimit = 1000, usedBefore }: TrueHistoryOptions = {},
): { history: History; window: QuotaWindow } => {
  const random = seededRandom(seed)
  const limit = Math.round(logUniform(random, leastLimit, mostLimit))
  const windowMs = random.pick([random.int(1000, 60_000), 1000 + 59_000 * random.float()])
  const startMs = random.int(0, 100_000) + random.float()
  const epochOffsetMs = 1_790_000_000_000 + random.int(0, 10_000_000) + random.float()
  const wholeMilliseconds = random.float() < 0.3
  const settings = { limit, windowMs, epochOffsetMs, random }
  const bare = limiters[model](settings)
  const limiter = wholeMilliseconds ? onWholeMilliseconds(bare) : bare
  const isUsed = random.float() < 0.3
  const priorUntilMs = (usedBefore ?? isUsed) ? startMs : undefined
  if (priorUntilMs !== undefined) spendBefore(limiter, random, startMs, limit, windowMs)
  const worst = Math.min(logUniform(random, 0.05, 500), windowMs / 2)
  const [events] = simulate(
    [{ lanes: lanesOf(random, limit, windowMs, startMs), limiter, before: dayOf(random, limit) }],
    {
      roundTripMs: () => worst * random.float() ** 2,
      lossRate: random.pick([0, 0, 0.05]),
      random,
    },
  )
  const blurMs = 1000 * random.float()
  const history = historyOf(events, {
    clockErrorMs: wholeMilliseconds ? 1 : 0,
    priorUntilMs,
    targetEpochOffsetMs:
      random.float() < 0.5 ? { from: epochOffsetMs - blurMs * random.float(), to: epochOffsetMs + blurMs } : null,
  })
  return { history, window: { limit, windowMs } }
}

/** Some phases of a run, in a row. */
export const lanesOf = (random: Random, limit: number, windowMs: number, startMs: number) => {
  const names = phaseNames.filter(() => random.float() < 0.6)
  return trafficOf(
    names.length > 0 ? names : ['burstAndProbe'],
    limit,
    windowMs * (0.9 + 0.3 * random.float()),
    startMs,
  )
}

/** Others' use: at random times, all at once or at an even pace, as much as they were given until the run began. */
export const spendBefore = (limiter: Limiter, random: Random, untilMs: number, limit: number, windowMs: number) => {
  const spanMs = windowMs * random.pick([0, 0.05, 0.5, 2, 4])
  const until = untilMs - windowMs * random.pick([0, 0, 0.3, 1.1]) * random.float()
  const count = random.int(0, random.pick([1, 2, 6]) * limit)
  const isEven = random.float() < 0.3
  const instants = Array.from({ length: count }, (_, i) => until - spanMs * (isEven ? i / count : random.float()))
  for (const instant of instants.sort((a, b) => a - b)) limiter.decide(instant)
}

/** A daily limit that runs out somewhere in the run, in a fifth of the runs. */
export const dayOf = (random: Random, limit: number): Limiter | undefined => {
  if (random.float() < 0.8) return undefined
  let left = random.int(1, 8 * limit)
  return { decide: () => left-- > 0 }
}

/**
 * All phases of a run against a defective limiter, as the oracle would see it; the companion is another key. If use before
 * the run is unknown, any amount is possible until its first request.
 */
export const defectiveHistory = (
  defect: SimulatedDefect,
  roundTripMs: number,
  seed: number,
  { isUseKnown = true }: { readonly isUseKnown?: boolean } = {},
) => {
  const random = seededRandom(seed)
  const limit = random.pick([60, 60, 60, 300, 300, 1000])
  const windowMs = 6000
  const epochOffsetMs = 1_790_000_000_000 + 6000 * random.float()
  const limiter = defects[defect]({ limit, windowMs, epochOffsetMs, random })
  const own = trafficOf(runPhases, limit, windowMs, random.float() * windowMs)
  const beside = trafficOf(runPhases, limit, windowMs, random.float() * windowMs + 0.3 * windowMs)
  const keys = defect === 'keys-share-bucket' ? [own, beside] : [own]
  const [events, companion] = simulate(
    keys.map((lanes) => ({ lanes, limiter })),
    nearNetwork(roundTripMs, random),
  )
  const clockErrorMs = 1 + 1e-4 * windowMs
  const priorUntilMs = isUseKnown ? undefined : Math.min(...events.map(({ sentMs }) => sentMs))
  const targetEpochOffsetMs = { from: epochOffsetMs - 500, to: epochOffsetMs + 500 }
  const options = { clockErrorMs, targetEpochOffsetMs, priorUntilMs }
  const companions = companion ? [historyOf(companion, options)] : []
  return { history: historyOf(events, options), window: { limit, windowMs }, companions }
}

/** All phases of a run, in their order. */
export const runPhases: readonly PhaseName[] = [...phaseNames, 'deepBurst']

/** A nearby network that loses nothing: each round trip takes half to one and a half times the given time. */
export const nearNetwork = (roundTripMs: number, random: Random): Network => ({
  roundTripMs: () => roundTripMs * (0.5 + random.float()),
  lossRate: 0,
  random,
})
