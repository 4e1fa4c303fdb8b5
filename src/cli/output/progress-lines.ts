import { obstacleInWords } from '../../checks/framework/in-words.js'
import { formatDuration } from '../../kit/duration.js'
import { count } from '../../kit/words.js'
import { cut, type Paint } from '../../report/formats/terminal-text.js'
import { counted } from '../../report/summary.js'
import type { Progress } from '../../run/playing/run-log.js'

/** What is known of one key while a run goes on. */
interface LaneState {
  readonly probe: string | null
  readonly waiting: { readonly until: number; readonly why: string } | null
  /** Of a probe that is played on several keys together: whether its load is on this one now. */
  readonly isLoaded: boolean
  /** Probes that came to an end on it. */
  readonly done: number
}

/** What is known of an agent that sends a run's loads. */
type AgentProgress = Extract<Progress, { kind: 'agent' }>

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

/** What was planned, so that it can be said how far a run has come. */
export interface Foreseen {
  readonly requests: number
  readonly durationMs: number
}

interface ProgressMoment {
  /** Milliseconds since the run's start. */
  readonly at: number
  /** The wall clock at the run's start, in milliseconds since the epoch. */
  readonly startedAtMs: number
}

interface LineStyle {
  readonly width: number
  readonly paint: Paint
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** The time of day here: `12:48:31`. */
export const timeOfDay = (epochMs: number): string => {
  const date = new Date(epochMs)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

const doing = (
  { probe, waiting, isLoaded }: LaneState,
  { at, startedAtMs }: ProgressMoment,
  isOver: boolean,
): string => {
  if (probe === null) return isOver ? 'done' : 'waits for the others'
  if (isLoaded) return `${probe}: sends its load on this key`
  const left = waiting === null ? 0 : waiting.until - at
  if (waiting === null || left <= 0) return probe
  return `${probe}: waits ${formatDuration(Math.ceil(left / 1000) * 1000)}, until ${timeOfDay(startedAtMs + waiting.until)}, for ${waiting.why}`
}

const total = ({ sent }: RunState, { at, startedAtMs }: ProgressMoment, foreseen: Foreseen | null): string => {
  const end = foreseen && at < foreseen.durationMs ? `, ends about ${timeOfDay(startedAtMs + foreseen.durationMs)}` : ''
  const of = foreseen === null ? '' : ` of at most ${count(foreseen.requests)}`
  const elapsed = at < 60_000 ? `${Math.floor(at / 1000)} s` : formatDuration(Math.floor(at / 1000) * 1000)
  return `${elapsed}${end}; ${foreseen === null ? counted(sent, 'request') : `${count(sent)}${of} requests`} sent`
}

/** What an agent sends, how much it has sent, and how well its clock is known; of a lost one, why. */
export const agentDoing = ({ lost, loads, sent, clockErrorMs }: AgentProgress): string => {
  if (lost !== null) return `lost: ${lost}`
  const clock = clockErrorMs === null ? '' : `, clock ±${clockErrorMs.toFixed(2)} ms`
  return `${loads.length === 0 ? 'ready' : loads.join(', ')}; ${counted(sent, 'request')} sent${clock}`
}

/** A line for each agent, with what it sends and how well its clock is known. */
const agentLines = ({ agents }: RunState, { width, paint }: LineStyle): string[] => {
  const names = Math.max(0, ...[...agents.keys()].map((name) => name.length))
  return [...agents].map(([name, each]) => {
    const text = cut(agentDoing(each), width - names - 5)
    const isIdle = each.lost === null && each.loads.length === 0
    const shown = each.lost === null ? (isIdle ? paint('dim', text) : text) : paint('yellow', text)
    return `  ${paint('bold', name.padEnd(names))}  ${shown}`
  })
}

/** A run as it stands: how far it is, and a line for each key with what it does or waits for, and until when. */
export const progressLines = (
  state: RunState,
  moment: ProgressMoment,
  foreseen: Foreseen | null,
  { width, paint }: LineStyle,
): string[] => {
  const names = Math.max(0, ...[...state.lanes.keys()].map((key) => key.length))
  const isOver = [...state.lanes.values()].every(({ probe }) => probe === null)
  const lanes = [...state.lanes].map(([key, lane]) => {
    const name = key.padEnd(names)
    const text = cut(doing(lane, moment, isOver), width - names - 5)
    const isWaiting = lane.waiting !== null && lane.waiting.until > moment.at && lane.probe !== null
    return `  ${paint('bold', name)}  ${lane.probe === null || isWaiting ? paint('dim', text) : text}`
  })
  const agents = agentLines(state, { width, paint })
  return [paint('cyan', cut(total(state, moment, foreseen), width - 1)), ...lanes, ...agents]
}

/** How a probe ended that did not run to its end: `failed: no-answer` in words. */
const stateInWords = (state: string): string => {
  const [, how, reason] = /^(failed|skipped): (.*)$/s.exec(state) ?? []
  if (how === undefined || reason === undefined) return state
  return `${how === 'skipped' ? 'left out' : 'not played to its end'}: ${obstacleInWords(reason)}`
}

/** What stays on the screen, or goes to a log, of an event; undefined where it is only a step on the way. */
export const lineOf = (event: Progress): string | undefined => {
  if (event.kind === 'note') return event.text
  if (event.kind === 'load')
    return event.sent === undefined
      ? undefined
      : `${event.probe} (${event.key}): ${counted(event.sent, 'request')} sent`
  if (event.kind !== 'probe' || event.state === 'started') return undefined
  return `${event.probe} (${(event.keys ?? [event.key]).join(', ')})${event.state === 'completed' ? '' : `: ${stateInWords(event.state)}`}`
}

/** A shorter wait needs no word. */
const longWaitMs = 5_000

/** What takes long, and how long, where nothing counts it down: silence would look like a run that hangs. */
export const beginningLineOf = (event: Progress): string | undefined => {
  if (event.kind === 'waiting' && event.until - event.at > longWaitMs)
    return `${event.key}: waits ${formatDuration(event.until - event.at)} for ${event.why}`
  if (event.kind !== 'load' || event.planned === undefined) return undefined
  const { amount, lastsMs } = event.planned
  return `${event.probe} (${event.key}): sends ${counted(amount, 'request')} within ${formatDuration(lastsMs)}`
}

/** Whether a probe did not come to its end. */
export const isNews = (event: Progress): boolean =>
  event.kind === 'probe' && event.state !== 'started' && event.state !== 'completed'
