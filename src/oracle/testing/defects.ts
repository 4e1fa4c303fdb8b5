import {
  countingRefusals,
  type Limiter,
  type LimiterSettings,
  limiters,
  type MakeLimiter,
  nodesApart,
  pushedOn,
  unlimited,
} from '../../certificate/limiters.js'
import type { ModelName } from '../../contract/limiter-models.js'

const bases: readonly ModelName[] = ['fixed-window', 'fixed-window-first-request', 'sliding-log', 'token-bucket']

/** An admissible limiter with other settings than the plan's. */
const withOther =
  (change: (settings: LimiterSettings) => Partial<LimiterSettings>): MakeLimiter =>
  (settings) =>
    limiters[settings.random.pick(bases)]({ ...settings, ...change(settings) })

/** A few nodes, one picked at random for each request; with more nodes no phase of a run would exhaust one. */
const nodes: MakeLimiter = (settings) => {
  const base = settings.random.pick(bases)
  const each = Array.from({ length: settings.random.int(2, 4) }, () => limiters[base](settings))
  return nodesApart(each, settings.random)
}

/** Reads the count and writes it later, so that requests in between see the old one. */
const checkApart: MakeLimiter = ({ limit, windowMs, random, epochOffsetMs }) => {
  const aligned = random.float() < 0.5
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  const roll = (now: number) => {
    if (now >= start + windowMs) [start, count] = [aligned ? now - ((now + epochOffsetMs) % windowMs) : now, 0]
  }
  return {
    decide(now) {
      roll(now)
      return count < limit
    },
    commit(now) {
      roll(now)
      count++
    },
  }
}

const firstFree: MakeLimiter = (settings) => {
  const inner = limiters[settings.random.pick(bases)](settings)
  let isFirst = true
  return {
    decide(now) {
      if (!isFirst) return inner.decide(now)
      isFirst = false
      return true
    },
  }
}

const neverBack: MakeLimiter = ({ limit }): Limiter => {
  let left = limit
  return { decide: () => left-- > 0 }
}

/** Defective limiters, by the diagnosis that each must get. */
export const defects = {
  'no-limit': unlimited,
  'limit-lower-by-one': withOther(({ limit }) => ({ limit: limit - 1 })),
  'limit-higher-by-one': withOther(({ limit }) => ({ limit: limit + 1 })),
  'nodes-count-alone': nodes,
  'limit-of-another-plan': withOther(({ limit }) => ({ limit: limit === 60 ? 300 : 60 })),
  'check-apart-from-count': checkApart,
  'refusals-count': countingRefusals,
  'refusals-push-window': pushedOn('refused'),
  'every-request-renews': pushedOn('every'),
  'window-longer': withOther(({ windowMs, random }) => ({ windowMs: windowMs * (1.05 + 3 * random.float()) })),
  'window-shorter': withOther(({ windowMs, random }) => ({ windowMs: windowMs * (0.1 + 0.85 * random.float()) })),
  'first-request-free': firstFree,
  'requests-count-twice': withOther(({ limit }) => ({ limit: Math.floor(limit / 2) })),
  'keys-share-bucket': withOther(() => ({})),
  'quota-never-returns': neverBack,
} as const satisfies Record<string, MakeLimiter>
export type SimulatedDefect = keyof typeof defects
