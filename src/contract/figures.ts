import type { ClauseId } from './clauses.js'

interface Noise {
  readonly share: number
  readonly amount: number
  /** Set if the noise comes from the run's own randomness, so that floors for machine and network do not replace it. */
  readonly byChance?: true
}

/** A number that a run measures: a scenario may set a gate on it, and runs are compared by it. */
export interface Figure {
  readonly unit: 'ms' | 'share' | 'requests' | 'clauses' | 'pets'
  /** Measured on each plan, or once per run. */
  readonly of: 'plan' | 'run'
  /** The load that the value is from, if each load of a plan has its own value: the worst one. */
  readonly worstLoad?: 'slowest load' | 'latest load'
  readonly sentence: string
  /** Clauses that say the same: a waiver for them also covers a gate on the figure. */
  readonly clauses: readonly ClauseId[]
  /**
   * What counts as noise between two runs: a change has to exceed both a share and an amount in the figure's unit. Null if
   * the figure says nothing about the target, so runs are not compared by it.
   */
  readonly noise: Noise | null
}

const outcomes = ['admitted', 'refused'] as const
const percentiles = ['p50', 'p90', 'p99', 'max'] as const

type LatencyName =
  `${'latencyMs' | 'latencyFromPlannedMs'}.${(typeof outcomes)[number]}.${(typeof percentiles)[number]}`

const percentileWords = {
  p50: 'median of the slowest load',
  p90: '90th percentile of the slowest load',
  p99: '99th percentile of the slowest load',
  max: 'the slowest',
}

/**
 * Wide, because a shared machine alone can double a latency: two runs against the same server have differed by 33 % and
 * 15 ms at the median. The slowest response is not compared.
 */
const latencyNoise = {
  p50: { share: 1, amount: 50 },
  p90: { share: 1, amount: 75 },
  p99: { share: 1, amount: 150 },
  max: null,
}

const latencyFigure = (
  clock: 'latencyMs' | 'latencyFromPlannedMs',
  outcome: (typeof outcomes)[number],
  percentile: (typeof percentiles)[number],
): [LatencyName, Figure] => [
  `${clock}.${outcome}.${percentile}`,
  {
    unit: 'ms',
    of: 'plan',
    ...(percentile !== 'max' && { worstLoad: 'slowest load' as const }),
    sentence: `Latency of ${outcome} requests${clock === 'latencyMs' ? '' : ' from the planned moment'}, ${percentileWords[percentile]}`,
    clauses: [],
    noise: latencyNoise[percentile],
  },
]

const latencies = Object.fromEntries(
  (['latencyMs', 'latencyFromPlannedMs'] as const).flatMap((clock) =>
    outcomes.flatMap((outcome) => percentiles.map((percentile) => latencyFigure(clock, outcome, percentile))),
  ),
) as Readonly<Record<LatencyName, Figure>>

const exact = { share: 0, amount: 0 }
const fewFail = { share: 0.5, amount: 5 }

const ofPlan = (
  unit: Figure['unit'],
  sentence: string,
  noise: Figure['noise'] = null,
  clauses: readonly ClauseId[] = [],
): Figure => ({ of: 'plan', unit, sentence, noise, clauses })

const ofRun = (unit: Figure['unit'], sentence: string): Figure => ({ ...ofPlan(unit, sentence), of: 'run' })

const admittedTooMuch: readonly ClauseId[] = ['QUOTA-1', 'QUOTA-3', 'QUOTA-4', 'QUOTA-5', 'QUOTA-6']
const refusedTooEarly: readonly ClauseId[] = ['QUOTA-2', 'QUOTA-3', 'QUOTA-4', 'QUOTA-5']

const counts = {
  overAdmitted: ofPlan('requests', 'Requests admitted beyond the limit in the whole run', exact, admittedTooMuch),
  earlyRefused: ofPlan('requests', 'Requests refused within the limit in the whole run', exact, refusedTooEarly),
  worstMinute: ofPlan('requests', 'The most requests admitted within any span of one window'),
  unknown: ofPlan('requests', 'Requests of the burst whose outcome is unknown', fewFail),
  errors: ofPlan('requests', 'Requests of the load that fail with an error', fewFail),
  timeouts: ofPlan('requests', 'Requests of the load that get no answer in time', fewFail),
  lost: ofPlan('requests', 'Requests of the load whose connection ends before the answer', fewFail),
  'compliant.wasted': ofPlan('requests', 'Unserved attempts of clients that wait as told', {
    share: 1,
    amount: 100,
    byChance: true,
  }),
  inconclusive: ofRun('clauses', 'Inconclusive clauses'),
  warnings: ofRun('clauses', 'Broken should clauses'),
  notTested: ofRun('clauses', 'Clauses not tested'),
  unrestored: ofRun('pets', 'Pets whose quantity the run did not restore'),
  requests: ofRun('requests', 'Requests that the run sends'),
}

const lateNoise = { share: 0.25, amount: 1_000 }

const times = {
  'recovery.afterMs': ofPlan('ms', 'Time from the last refusal of the load until the key is served again'),
  'recovery.lateMs': ofPlan(
    'ms',
    'Time for which the key is still refused after the moment in Retry-After',
    lateNoise,
    ['THROTTLE-4'],
  ),
  'compliant.tookMs': ofPlan('ms', 'Time until clients that wait as told have all their requests served', {
    share: 1,
    amount: 60_000,
    byChance: true,
  }),
  'scheduleErrorMs.p99': {
    ...ofPlan('ms', 'How late requests leave, 99th percentile of the latest load'),
    worstLoad: 'latest load' as const,
  },
  durationMs: ofRun('ms', 'Duration of the run'),
}

/** From all rounds of the loads that measure it, and from no other load. */
const limiterCosts = {
  'limiterCost.admitted.p50': ofPlan(
    'ms',
    'Cost of the limiter: time of an answer, median of all rounds',
    latencyNoise.p50,
  ),
  'limiterCost.refused.p50': ofPlan(
    'ms',
    'Cost of the limiter: time of a refusal, median of all rounds',
    latencyNoise.p50,
  ),
  // Both medians come from the same machine and minutes, so their ratio varies less than they do.
  'limiterCost.share': ofPlan('share', 'Cost of the limiter: time of a refusal, as a share of that of an answer', {
    share: 1,
    amount: 0.25,
  }),
}

/** Every figure by name; figures that report.json holds as they are have the same name there. */
export const figures = { ...counts, ...times, ...limiterCosts, ...latencies } as const satisfies Readonly<
  Record<string, Figure>
>

export type FigureName = keyof typeof figures

export const figureNames = Object.keys(figures) as readonly FigureName[]
export const latencyFigureNames = Object.keys(latencies) as readonly LatencyName[]
