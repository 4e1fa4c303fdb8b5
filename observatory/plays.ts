import type { Column, Limiter } from './limiter.js'

/** What an event of a play does to the target or its store. */
export type EventName = 'restart' | 'store-stopped' | 'store-slow' | 'store-flushed'

/** A probe with its settings, as a scenario file has it. */
type ProbeEntry = Readonly<Record<string, string | number | readonly string[]>>

/** A run of quotaspec, which fills one column or several. */
export interface Play {
  readonly id: string
  readonly fills: readonly Column[]
  readonly processes: 1 | 3
  readonly probes: readonly ProbeEntry[]
  /** The clauses or checks that are judged, where that is not all: then nothing is played for the others. */
  readonly only?: readonly string[]
  readonly event?: { readonly name: EventName; readonly during: string }
  /** Played once more against the same server without the limiter. */
  readonly beside?: boolean
}

/** So much more than the limit that a count that begins anew in the middle shows in full. */
const interrupted = [{ probe: 'burst', overshoot: 2.5, connections: 10 }]
/** On a schedule, so that requests go on while the store does not answer. */
const scheduled = [{ probe: 'overload', overshoot: 1.5, windows: 3 }]

const quotaClauses = ['QUOTA-1', 'QUOTA-2', 'QUOTA-4']

const steady = (windows: number): readonly ProbeEntry[] => [
  { probe: 'steady', share: 0.9, windows: 2, jitter: 0.5 },
  { probe: 'overload', overshoot: 1.2, windows, jitter: 0.5 },
]
const neutral: readonly ProbeEntry[] = [{ probe: 'overload', overshoot: 2, windows: 2 }]

/** By itself it has to empty a bucket, or what that holds too much would not show. */
const untilEmpty = 8

/** One run for all columns of one process: where it breaks nothing, nothing of it is to be told apart. */
const together: Play = {
  id: 'together',
  fills: ['alone', 'race', 'steady', 'headers', 'wait', 'neutral', 'idle'],
  processes: 1,
  probes: [
    { probe: 'header-row' },
    // Found, not told: a window that ends up to a second early, as one does that is kept in whole seconds, shows then.
    { probe: 'burst', silence: 2, end: 'found' },
    { probe: 'split' },
    { probe: 'while-refused', moments: ['wait', 'reset'] },
    { probe: 'last-slot', rivals: 50 },
    { probe: 'cold-start' },
    ...steady(2),
    ...neutral,
  ],
}

/** Each column of these by itself, for where a run of several broke a quota: that one process did is then known. */
const apart: readonly Play[] = [
  { id: 'race', fills: ['race'], processes: 1, only: quotaClauses, probes: [{ probe: 'last-slot', rivals: 50 }] },
  {
    id: 'idle',
    fills: ['idle'],
    processes: 1,
    only: quotaClauses,
    probes: [{ probe: 'cold-start' }, { probe: 'burst', silence: 3 }],
  },
  {
    id: 'steady',
    fills: ['steady'],
    processes: 1,
    only: quotaClauses,
    probes: steady(untilEmpty),
  },
  { id: 'neutral', fills: ['neutral'], processes: 1, only: quotaClauses, probes: neutral },
]

/** Nothing else is judged where something fails on purpose. The quota of every contract here is called `window`. */
const eventChecks = ['quota.events:window', 'quota.events-allowed:window']

const plays: readonly Play[] = [
  together,
  {
    id: 'cluster',
    fills: ['cluster'],
    processes: 3,
    only: quotaClauses,
    // A burst alone leaves open what a limit one too high or a window too long would do.
    probes: [
      { probe: 'burst', overshoot: 4, silence: 2 },
      { probe: 'split' },
      { probe: 'last-slot', rivals: 50 },
      { probe: 'cold-start' },
      ...neutral,
    ],
  },
  ...(['restart', 'store-flushed'] as const).map(
    (name): Play => ({
      id: name,
      fills: [name],
      processes: 1,
      only: eventChecks,
      probes: interrupted,
      event: { name, during: 'burst' },
    }),
  ),
  ...(['store-stopped', 'store-slow'] as const).map(
    (name): Play => ({
      id: name,
      fills: [name],
      processes: 1,
      only: eventChecks,
      probes: scheduled,
      event: { name, during: 'overload' },
    }),
  ),
  {
    id: 'cost',
    fills: ['cost'],
    processes: 1,
    only: ['QUOTA-8'],
    probes: [{ probe: 'cost', rounds: 2, connections: 1 }],
    beside: true,
  },
]

/** The play of a column by itself, where it shares its run with others that a breach may be of. */
export const apartOf = (column: Column): Play | undefined => apart.find(({ fills }) => fills[0] === column)

/** What is played of a limiter for some columns: of one without a store its failures are left out. */
export const playsFor = ({ store }: Pick<Limiter, 'store'>, wanted: ReadonlySet<Column>): Play[] =>
  plays.filter(
    ({ id, fills }) => fills.some((each) => wanted.has(each)) && (store === 'redis' || !id.startsWith('store-')),
  )

/**
 * The scenario file of a play, as a user would write it; `control` is asked to bring the event about. A burst is on the key
 * of the event alone, for in that of another it would come at any moment.
 */
export const scenarioOf = ({ id, probes, event }: Play, control: string, key: string) => ({
  name: id,
  description: `What the column ${id} asks of a limiter.`,
  probes: [{ probe: 'hello' }, ...probes.map((each) => (event?.during === 'burst' ? { ...each, plans: [key] } : each))],
  ...(event && {
    events: [
      {
        during: event.during,
        plan: key,
        at: 0.5,
        name: event.name,
        run: [process.execPath, '-e', `fetch('${control}/${event.name}').then(({ ok }) => process.exit(ok ? 0 : 1))`],
      },
    ],
  }),
})
