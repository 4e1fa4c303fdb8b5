import { suggestion } from '../kit/words.js'

/** A kind of defective limiter, through which a run's requests are replayed. */
interface DefectFamily {
  readonly title: string
  /** False if one limiter serves all keys, so a defect that one key excludes is excluded for all. */
  readonly ofEachKey: boolean
  /** The clauses that they break: if a run finds one broken, it does not claim that the target lacks these defects. */
  readonly breaks: readonly string[]
  /** The names of its members in gates and `report.json`. */
  readonly names: readonly string[]
  /** Matches members whose names contain a number or a plan. */
  readonly pattern?: RegExp
  /** About how many requests on a key of this limit would exclude the defect, with a schedule made for it. */
  readonly takes: (limit: number, defect: string) => number
}

/** The limit, plus the request that is refused. */
const onceSpent = (limit: number): number => limit + 1
const twiceSpent = (limit: number): number => 2 * onceSpent(limit)

/** A defect in one of n requests shows in 95 of 100 runs that send 3n. */
const timesOneIn = 3
const sizeIn = (defect: string): number => Number(/\d+$/.exec(defect)?.[0] ?? 1)

const signed = (signs: readonly string[], shares: readonly number[]): string[] =>
  shares.flatMap((share) => signs.map((sign) => `window${sign}${share}%`))

const oneIn = [10, 40, 200]

/** The kinds of defective limiters, in the order of a report. */
export const defectFamilies = {
  limit: {
    title: 'Another limit, or none',
    ofEachKey: true,
    breaks: ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'],
    takes: twiceSpent,
    names: ['limit+1', 'limit-1', 'no-limit', 'limit-of-PLAN'],
    pattern: /^(limit[+-]\d+|limit-of-.+)$/,
  },
  window: {
    title: 'A window of another length',
    ofEachKey: true,
    breaks: ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'],
    takes: twiceSpent,
    names: [...signed(['-', '+'], [1, 2, 3, 5, 10]), 'window-half', 'window-double'],
  },
  lost: {
    title: 'Counts that get lost',
    ofEachKey: true,
    breaks: ['QUOTA-1', 'QUOTA-5'],
    takes: (limit, defect) => {
      const shown = timesOneIn * sizeIn(defect)
      // Only what is admitted can get lost, and a window admits no more than the limit.
      const sent = defect.startsWith('lost') ? Math.ceil(shown / limit) * onceSpent(limit) : shown
      return Math.max(twiceSpent(limit), sent)
    },
    names: oneIn.flatMap((each) => [`lost-1-in-${each}`, `fail-open-1-in-${each}`]),
  },
  apart: {
    title: 'Nodes, routes or spellings with separate counts, and races',
    ofEachKey: false,
    breaks: ['QUOTA-1', 'QUOTA-5', 'QUOTA-6'],
    takes: twiceSpent,
    names: [
      'nodes-2',
      'nodes-4',
      'routes-apart',
      'spellings-apart',
      'addresses-apart',
      'race-1ms',
      'race-5ms',
      'race-20ms',
    ],
  },
  uncommon: {
    title: 'Refusals that count, windows that move',
    ofEachKey: false,
    breaks: ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'],
    takes: twiceSpent,
    names: [
      'refusals-count',
      'refusals-push',
      'requests-push',
      'first-free',
      'later-one-less',
      'forgotten-33%',
      'forgotten-70%',
      'lumps',
    ],
  },
  idle: {
    title: 'What two windows of silence change',
    ofEachKey: false,
    breaks: ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'],
    takes: twiceSpent,
    names: ['idle-2w', 'idle-one-more'],
  },
  operation: {
    title: 'A smaller limit of one operation',
    ofEachKey: true,
    breaks: ['QUOTA-2'],
    takes: onceSpent,
    names: ['operation-limit'],
  },
  early: {
    title: 'A Retry-After or Reset that is too short',
    ofEachKey: false,
    breaks: ['THROTTLE-4', 'RATE-6'],
    takes: onceSpent,
    names: [...['wait', 'reset'].flatMap((each) => [`${each}-0.3s`, `${each}-1s`, `${each}-half`]), 'reset-2s'],
  },
  remaining: {
    title: 'A Remaining that is wrong',
    ofEachKey: false,
    breaks: ['RATE-4'],
    takes: onceSpent,
    names: [
      'remaining+1',
      'remaining-1',
      'remaining+1-near-0',
      'remaining-1-near-0',
      'remaining-frozen',
      'remaining-of-another',
    ],
  },
  shared: {
    title: 'A count that plans share',
    ofEachKey: true,
    breaks: ['QUOTA-4'],
    takes: onceSpent,
    names: ['shares-with-PLAN'],
    pattern: /^shares-with-.+$/,
  },
} as const satisfies Readonly<Record<string, DefectFamily>>

export const defectFamily = (defect: string): DefectFamily | undefined =>
  Object.values(defectFamilies).find((each: DefectFamily) => each.names.includes(defect) || each.pattern?.test(defect))

const allNames = Object.values(defectFamilies).flatMap(({ names }): readonly string[] => names)

/** Whether a gate may ask for this defect to be excluded. */
export const isDefectName = (name: string): boolean => !name.endsWith('-PLAN') && defectFamily(name) !== undefined

/** What to write instead of an unknown name of a defect. */
export const otherDefectName = (name: string): string =>
  `${name} is not a defect that a run can exclude: ${suggestion(name, allNames)}`

/**
 * The admissible limiters, also called models: each is a fair reading of "60 requests per minute". By id, as files and
 * `report.json` have it, with its name for people.
 */
export const limiterNames = {
  'fixed-window': 'fixed windows',
  'fixed-window-first-request': 'windows that begin with the first request',
  'interval-refill': 'a refill at intervals',
  'interval-refill-idle': 'a refill at intervals that stops while nothing is sent',
  'sliding-log': 'a sliding log',
  'sliding-counter': 'a sliding counter',
  'token-bucket': 'a token bucket',
  gcra: 'GCRA (a leaky bucket)',
} as const
export type ModelName = keyof typeof limiterNames
export const modelNames = Object.keys(limiterNames) as readonly ModelName[]

/** Limiters with separate capacity and rate; in the others the limit is both. */
export const bucketModels: readonly ModelName[] = ['token-bucket', 'gcra']

/** Limiters whose whole quota returns at once, at the end of the window. In the others it comes back bit by bit. */
export const returningAtOnce: ReadonlySet<ModelName> = new Set([
  'fixed-window',
  'fixed-window-first-request',
  'interval-refill',
  'interval-refill-idle',
])

/** Limiters that can put a boundary of their windows anywhere, so also in the middle of a burst or of a run. */
export const freeGrids: readonly ModelName[] = [
  'fixed-window',
  'interval-refill',
  'interval-refill-idle',
  'sliding-counter',
]

/** The name of a limiter by id; an unknown id stays as it is. */
export const limiterName = (id: string): string =>
  Object.hasOwn(limiterNames, id) ? limiterNames[id as ModelName] : id
