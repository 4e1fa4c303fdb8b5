import type { Progress } from '../../run/playing/run-log.js'

/** What is known of one key while a run goes on. */
export interface LaneState {
  readonly probe: string | null
  readonly waiting: { readonly until: number; readonly why: string } | null
  /** Of a probe that is played on several keys together: whether its load is on this one now. */
  readonly isLoaded: boolean
  /** Probes that came to an end on it. */
  readonly done: number
}

/** What is known of an agent that sends a run's loads. */
export type AgentProgress = Extract<Progress, { kind: 'agent' }>

/** What is known of a run while it goes on: what each key does, and how much was sent. */
export interface RunState {
  readonly sent: number
  readonly lanes: ReadonlyMap<string, LaneState>
  readonly agents: ReadonlyMap<string, AgentProgress>
}

export const freshState: RunState = { sent: 0, lanes: new Map(), agents: new Map() }

const idle: LaneState = { probe: null, waiting: null, isLoaded: false, done: 0 }

/** The state after an event. */
export const after = (state: RunState, event: Progress): RunState => {
  if (event.kind === 'sent') return { ...state, sent: state.sent + event.count }
  if (event.kind === 'note') return state
  if (event.kind === 'agent') return { ...state, agents: new Map([...state.agents, [event.agent, event]]) }
  const next = (lane: LaneState): LaneState => {
    if (event.kind === 'waiting') return { ...lane, waiting: { until: event.until, why: event.why } }
    if (event.kind === 'load') return { ...lane, waiting: null, isLoaded: event.sent === undefined }
    if (event.state === 'started') return { ...lane, probe: event.probe, waiting: null, isLoaded: false }
    return { ...idle, done: lane.done + 1 }
  }
  const keys = event.kind === 'probe' ? (event.keys ?? [event.key]) : [event.key]
  const changed = keys.map((key): [string, LaneState] => [key, next(state.lanes.get(key) ?? idle)])
  return { ...state, lanes: new Map([...state.lanes, ...changed]) }
}
