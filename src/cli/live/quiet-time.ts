import type { RunState } from '../output/progress-state.js'

/** What a probe may do to a machine's time: put load on the target, in its turn or on several keys at once. */
export type LoadKind = 'none' | 'between-waits' | 'at-any-time'

/**
 * For how long, in milliseconds, no load of this run can be under way: until the first key that plays a load has waited.
 *
 * @param at milliseconds since the run's start.
 */
export const quietMs = ({ lanes }: RunState, at: number, loadOf: (probe: string) => LoadKind): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...[...lanes.values()].map(({ probe, waiting }) => {
      const load = probe === null ? 'none' : loadOf(probe)
      if (load === 'none') return Number.POSITIVE_INFINITY
      return load === 'between-waits' && waiting !== null ? Math.max(0, waiting.until - at) : 0
    }),
  )
