import type { Clock } from '../../kit/clock.js'
import { type LiveLine, type LiveView, liveParts } from '../../report/html/live-page.js'
import { findProbe } from '../../run/plan/probe-registry.js'
import type { Progress } from '../../run/playing/run-log.js'
import {
  after,
  agentDoing,
  type Foreseen,
  freshState,
  isNews,
  lineOf,
  type RunState,
  timeOfDay,
} from '../output/progress-lines.js'

/** Lines that the page shows; the report has the others. */
const mostLines = 40

/** A run as its events tell it. */
export interface LiveState {
  readonly run: RunState
  /** The latest first. */
  readonly lines: readonly LiveLine[]
  readonly linesLeftOut: number
}

export const freshLiveState: LiveState = { run: freshState, lines: [], linesLeftOut: 0 }

/** The state after an event. */
export const afterEvent = (state: LiveState, event: Progress): LiveState => {
  const text = lineOf(event)
  const lines = text === undefined ? state.lines : [{ at: event.at, text, isAmiss: isNews(event) }, ...state.lines]
  return {
    run: after(state.run, event),
    lines: lines.slice(0, mostLines),
    linesLeftOut: state.linesLeftOut + Math.max(0, lines.length - mostLines),
  }
}

/** When a view is taken, and of what. */
interface LiveMoment {
  /** Milliseconds since the run's start. */
  readonly at: number
  /** The wall clock at the run's start, in milliseconds since the epoch. */
  readonly startedAtMs: number
  readonly foreseen: Foreseen
  /** What a probe does, in a sentence. */
  readonly summaryOf: (probe: string) => string
}

/** What the page shows of a state. */
export const viewOf = (
  { run, lines, linesLeftOut }: LiveState,
  { at, startedAtMs, foreseen, summaryOf }: LiveMoment,
): LiveView => ({
  elapsedMs: at,
  foreseen,
  endsAbout: at < foreseen.durationMs ? timeOfDay(startedAtMs + foreseen.durationMs) : null,
  sent: run.sent,
  lanes: [...run.lanes].map(([key, { probe, waiting, done }]) => ({
    key,
    probe,
    summary: probe === null ? '' : summaryOf(probe),
    wait: waiting && {
      leftMs: Math.max(0, waiting.until - at),
      until: timeOfDay(startedAtMs + waiting.until),
      why: waiting.why,
    },
    done,
  })),
  agents: [...run.agents].map(([name, each]) => ({ name, doing: agentDoing(each), isLost: each.lost !== null })),
  lines,
  linesLeftOut,
})

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
      liveParts(viewOf(state, { at: atMs(), startedAtMs: zero?.wallMs ?? clock.wallMs(), foreseen, summaryOf })),
    /** Whether there is more to be told than when this was last asked. */
    hasNews(): boolean {
      const before = told
      told = { state, at: atMs() }
      return state !== before.state || isWaitOver(state.run, before.at, told.at)
    },
  }
}
