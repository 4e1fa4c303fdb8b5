import type { LiveLine, LiveView } from '../../report/live/live-view.js'
import type { Progress } from '../../run/playing/run-log.js'
import { isNews, lineOf } from '../output/event-line.js'
import { agentDoing, type Foreseen, timeOfDay } from '../output/progress-lines.js'
import { after, freshState, type RunState } from '../output/progress-state.js'

/** Lines that the page shows; the report has the others. */
const mostLines = 40

/** A run as its events tell it. */
export interface LiveState {
  readonly run: RunState
  /** The latest first. */
  readonly lines: readonly LiveLine[]
  readonly linesLeftOut: number
  /** Probes that came to their end. */
  readonly ended: number
}

export const freshLiveState: LiveState = { run: freshState, lines: [], linesLeftOut: 0, ended: 0 }

/** The state after an event. */
export const afterEvent = (state: LiveState, event: Progress): LiveState => {
  const text = lineOf(event)
  const isEnd = event.kind === 'probe' && event.state !== 'started'
  const lines = text === undefined ? state.lines : [{ at: event.at, text, isAmiss: isNews(event) }, ...state.lines]
  return {
    run: after(state.run, event),
    lines: lines.slice(0, mostLines),
    linesLeftOut: state.linesLeftOut + Math.max(0, lines.length - mostLines),
    ended: state.ended + (isEnd ? 1 : 0),
  }
}

/** When a view is taken, and of what. */
export interface LiveMoment {
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
