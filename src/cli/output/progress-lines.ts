import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import { cut, type Paint } from '../../report/formats/terminal-text.js'
import { counted } from '../../report/wording/summary.js'
import type { AgentProgress, LaneState, RunState } from './progress-state.js'

/** What was planned, so that it can be said how far a run has come. */
export interface Foreseen {
  readonly requests: number
  readonly durationMs: number
}

export interface ProgressMoment {
  /** Milliseconds since the run's start. */
  readonly at: number
  /** The wall clock at the run's start, in milliseconds since the epoch. */
  readonly startedAtMs: number
}

export interface LineStyle {
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
