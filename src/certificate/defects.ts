import { bucketModels, type ModelName } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import { isExact } from '../oracle/models/explanation.js'
import {
  countingRefusals,
  filledInLumps,
  type Limiter,
  type LimiterSettings,
  limiters,
  type MakeLimiter,
  nodesApart,
  pushedOn,
  raisedLate,
  unlimited,
} from './limiters.js'
import type { CertifiedClause, Defect, Ground, Make } from './named-defect.js'

const alone =
  (make: (ground: Ground) => Limiter): Make =>
  (ground) => {
    const limiter = make(ground)
    return () => limiter
  }

const honest = ({ model, settings }: Ground, change: Partial<LimiterSettings> = {}): Limiter =>
  limiters[model]({ ...settings, ...change })

const losing = (oneIn: number): Make =>
  alone((ground) => {
    const { random } = ground.settings
    return honest(ground, { loses: () => random.float() < 1 / oneIn })
  })

const plainly = (make: MakeLimiter): Make => alone(({ settings }) => make(settings))

/** One request in this many is admitted without being counted, as by a limiter that cannot reach its store. */
const failingOpen = (oneIn: number): Make =>
  alone((ground) => {
    const inner = honest(ground)
    const { random } = ground.settings
    return { decide: (now, cost) => random.float() < 1 / oneIn || inner.decide(now, cost) }
  })

const nodes = (count: number): Make =>
  alone((ground) =>
    nodesApart(
      Array.from({ length: count }, () => honest(ground)),
      ground.settings.random,
    ),
  )

/** The first request after a silence is not counted. */
const firstFree: Make = alone((ground) => {
  const inner = honest(ground)
  let last = Number.NEGATIVE_INFINITY
  return {
    decide(now, cost) {
      const isFree = now - last >= ground.settings.windowMs
      last = now
      return isFree || inner.decide(now, cost)
    },
  }
})

/** Exact in the first window of a run, one less in later ones. */
const laterShort: Make = alone((ground) => {
  let [first, error] = [Number.NaN, 0]
  const inner = honest(ground, { error: () => error })
  return {
    decide(now, cost) {
      if (Number.isNaN(first)) first = now
      error = now - first < ground.settings.windowMs ? 0 : -1
      return inner.decide(now, cost)
    },
  }
})

/** A key that was idle for this many windows is never served again. */
const lostWhenIdle = (windows: number): Make =>
  alone((ground) => {
    const inner = honest(ground)
    let [last, isLost] = [Number.NaN, false]
    return {
      decide(now, cost) {
        isLost ||= now - last > windows * ground.settings.windowMs
        last = now
        return !isLost && inner.decide(now, cost)
      },
    }
  })

/** A key that was idle for this many windows gets one request more in the window after it. */
const oneMoreWhenIdle = (windows: number): Make =>
  alone((ground) => {
    const { windowMs } = ground.settings
    let [last, until] = [Number.NaN, Number.NEGATIVE_INFINITY]
    let error = 0
    const inner = honest(ground, { error: () => error })
    return {
      decide(now, cost) {
        if (now - last > windows * windowMs) until = now + windowMs
        error = now < until ? 1 : 0
        last = now
        return inner.decide(now, cost)
      },
    }
  })

/** What a key has spent is forgotten once it was idle for this share of a window. */
const forgottenWhenIdle = (share: number): Make =>
  alone((ground) => {
    let [inner, last] = [honest(ground), Number.NaN]
    return {
      decide(now, cost) {
        if (now - last >= share * ground.settings.windowMs) inner = honest(ground)
        last = now
        return inner.decide(now, cost)
      },
    }
  })

/** The shares by which a window may be too short or too long, and the one that a pass must exclude. */
const [windowShares, demandedShare] = [[0.01, 0.02, 0.03, 0.05, 0.1], 0.05] as const

const percent = (share: number): string => `${Math.round(100 * share)}%`

/** Between two of these shares, lengths are tried in steps of this. */
const shareStep = 0.005

const stepsBetween = (from: number, to: number): number[] =>
  Array.from({ length: Math.round((to - from) / shareStep) + 1 }, (_, i) => from + i * shareStep)

/** Windows that are off by a share, up to the next larger one: 5 % covers 5 % to 10 %. */
const windowDefects = (window: QuotaWindow): Defect[] => {
  const of = (
    id: string,
    words: string,
    times: readonly number[],
    clauses: readonly CertifiedClause[] = [],
  ): Defect => ({
    id,
    words,
    clauses,
    of: 'each key',
    how: { keepsOneOf: times.map((each) => ({ ...window, windowMs: window.windowMs * each })) },
  })
  return [
    ...windowShares.flatMap((share, i) => {
      const clauses = share === demandedShare ? (['QUOTA-1', 'QUOTA-2'] as const) : []
      const shares = stepsBetween(share, windowShares[i + 1] ?? 1.5 * share)
      const [short, long] = [shares.map((each) => 1 - each), shares.map((each) => 1 + each)]
      return [
        of(`window-${percent(share)}`, `a window that is ${percent(share)} too short`, short, clauses),
        of(`window+${percent(share)}`, `a window that is ${percent(share)} too long`, long, clauses),
      ]
    }),
    of('window-half', 'a window of half the length', [0.5]),
    of('window-double', 'a window of twice the length', [2]),
  ]
}

const made = (id: string, words: string, demand: Pick<Defect, 'clauses' | 'of'>, make: Make): Defect => ({
  id,
  words,
  ...demand,
  how: { make },
})

/** One count in this many gets lost; the first is what a pass must exclude. */
const lossesOneIn = [10, 40, 200] as const

const lossDefects = (): Defect[] =>
  lossesOneIn.flatMap((oneIn, i) => {
    const demand = { clauses: i === 0 ? (['QUOTA-1'] as const) : [], of: 'each key' } as const
    const uncounted = `1 request in ${oneIn} admitted but not counted`
    return [
      made(`lost-1-in-${oneIn}`, `1 count in ${oneIn} lost`, demand, losing(oneIn)),
      made(`fail-open-1-in-${oneIn}`, uncounted, demand, failingOpen(oneIn)),
    ]
  })

const tooMany = { clauses: ['QUOTA-1'], of: 'one key' } as const
const eitherWay = { clauses: ['QUOTA-1', 'QUOTA-2'], of: 'one key' } as const
const onlyMeasured = { clauses: [], of: 'one key' } as const

/** A target whose decisions are this many times further apart than the delay of a count shows no race, and has none. */
const farApart = 5

const sharedDefects = (answersApartMs: number): Defect[] => [
  ...nodeDefects(),
  ...[1, 5, 20].map((ms) => {
    const demand = answersApartMs >= farApart * ms ? onlyMeasured : tooMany
    return made(`race-${ms}ms`, `a count that goes up ${ms} ms after the check`, demand, plainly(raisedLate(ms)))
  }),
  made('first-free', 'an uncounted first request after a silence', eitherWay, firstFree),
  made('refusals-count', 'refused requests that count', eitherWay, plainly(countingRefusals)),
  made('refusals-push', 'refused requests that extend the window', eitherWay, plainly(pushedOn('refused'))),
  made('requests-push', 'requests that extend the window', eitherWay, plainly(pushedOn('every'))),
  made('later-one-less', 'one request fewer in each window after the first', eitherWay, laterShort),
  ...[0.33, 0.7].map((share) => {
    const words = `a count that is forgotten after ${percent(share)} of a window of silence`
    return made(`forgotten-${percent(share)}`, words, onlyMeasured, forgottenWhenIdle(share))
  }),
  // No gate is idle for that long on purpose: the report says that it could hide, but a pass does not require it.
  made('idle-2w', 'a key that is refused forever after two windows of silence', onlyMeasured, lostWhenIdle(2)),
  made('idle-one-more', 'one request more after two windows of silence', onlyMeasured, oneMoreWhenIdle(2)),
]

const nodeDefects = (): Defect[] =>
  [2, 4].map((count) => made(`nodes-${count}`, `${count} nodes that count alone`, tooMany, nodes(count)))

const lumpy = plainly(filledInLumps(60))

/** What a target that looks like a bucket may really be. */
export const bucketDefects = (window: QuotaWindow, models: readonly ModelName[]): readonly Defect[] =>
  isExact(window) && models.some((model) => bucketModels.includes(model))
    ? [made('lumps', 'a bucket that refills in steps, sixty in a window', onlyMeasured, lumpy)]
    : []

/** Wrong limits: one above and one below the tolerance, no limit, and the limits of other plans. */
const limitDefects = (window: QuotaWindow, others: Readonly<Record<string, number>>): Defect[] => {
  const { limit, burst, exact } = window
  const held = burst ?? limit
  const [over, early] = exact ? [exact.over, exact.early] : [0, 0]
  const more = over === null ? null : Math.ceil(held * (1 + over)) + 1
  const less = early === null ? 0 : Math.floor(held * (1 - early)) - 1
  const demand = { clauses: ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'], of: 'each key' } as const
  const of = (id: string, words: string, other: number): Defect => ({
    id,
    words,
    ...demand,
    how: {
      keepsOneOf: [{ ...window, exact: undefined, ...(burst === undefined ? { limit: other } : { burst: other }) }],
    },
  })
  const isForbidden = (other: number) => (more !== null && other >= more) || (other <= less && other > 0)
  return [
    ...(more === null ? [] : [of(`limit+${more - held}`, `a limit of ${more}`, more)]),
    ...(less > 0 ? [of(`limit-${held - less}`, `a limit of ${less}`, less)] : []),
    ...(more === null ? [] : [made('no-limit', 'no limit at all', demand, plainly(unlimited))]),
    ...Object.entries(others)
      .filter(([, other]) => isForbidden(other))
      .map(([plan, other]) => of(`limit-of-${plan}`, `the limit of ${plan} (${other})`, other)),
  ]
}

/**
 * The defective limiters through which a key's requests are replayed.
 *
 * @param others the limits of the other plans, by plan.
 * @param isPaced whether a shorter quota paces the key: then no burst could have exposed the shared limiter, and a pass does
 * not require it.
 * @param answersApartMs how far apart simultaneous requests are answered.
 */
export const defectsFor = (
  window: QuotaWindow,
  others: Readonly<Record<string, number>>,
  { isPaced = false, answersApartMs = 0 }: { readonly isPaced?: boolean; readonly answersApartMs?: number } = {},
): readonly Defect[] => {
  const limits = limitDefects(window, others)
  if (isExact(window)) {
    const shared = sharedDefects(answersApartMs)
    const asked = isPaced ? shared.map((each) => ({ ...each, clauses: [] })) : shared
    return [...limits, ...windowDefects(window), ...lossDefects(), ...asked]
  }
  return window.exact?.over === null ? limits : [...limits, ...nodeDefects()]
}
