import type { Clock } from '../../kit/clock.js'
import { progressParts } from '../../report/live/progress-parts.js'
import { findProbe } from '../../run/plan/probe-registry.js'
import { isPlayedTogether } from '../../run/playing/probe-contexts.js'
import type { Progress } from '../../run/playing/run-log.js'
import type { Foreseen } from '../output/progress-lines.js'
import type { RunState } from '../output/progress-state.js'
import type { JudgingMoment } from './judge-between-loads.js'
import { afterEvent, freshLiveState, viewOf } from './live-state.js'
import { type LoadKind, quietMs } from './quiet-time.js'

const loadOf = (id: string): LoadKind => {
  const probe = findProbe(id)
  if (!probe?.isLoad) return 'none'
  return isPlayedTogether(probe) ? 'at-any-time' : 'between-waits'
}

const summaryOf = (probe: string): string => findProbe(probe)?.summary ?? ''

/** Whether a wait was over between two moments of a run. That is no event: what follows it is one only when it has ended. */
const isWaitOver = ({ lanes }: RunState, sinceMs: number, atMs: number): boolean =>
  [...lanes.values()].some(({ waiting }) => waiting !== null && waiting.until > sinceMs && waiting.until <= atMs)

/** A run as its events have told it by now, on a clock that knows the run's zero from the first event on. */
export const createToldRun = (foreseen: Foreseen, clock: Clock) => {
  let state = freshLiveState
  let zero: { readonly monotonicMs: number; readonly wallMs: number } | undefined
  const atMs = () => (zero ? clock.monotonicMs() - zero.monotonicMs : 0)
  let told = { state, at: 0 }
  return {
    add(event: Progress): void {
      zero ??= { monotonicMs: clock.monotonicMs() - event.at, wallMs: clock.wallMs() - event.at }
      state = afterEvent(state, event)
    },
    /** The places of the page that tell of it. */
    parts: () =>
      progressParts(viewOf(state, { at: atMs(), startedAtMs: zero?.wallMs ?? clock.wallMs(), foreseen, summaryOf })),
    /** Whether there is more to be told than when this was last asked. */
    hasNews(): boolean {
      const before = told
      told = { state, at: atMs() }
      return state !== before.state || isWaitOver(state.run, before.at, told.at)
    },
    /** How it stands for who judges it. Before the first event its folder still holds the run before this one. */
    moment: (isWatched: boolean): JudgingMoment => ({
      evidence: `${state.run.sent} ${state.ended}`,
      quietMs: quietMs(state.run, atMs(), loadOf),
      isWatched: zero !== undefined && isWatched,
    }),
  }
}
