import { obstacleInWords } from '../../checks/framework/in-words.js'
import { type Clock, systemClock } from '../../kit/clock.js'
import { count, counted, formatDuration } from '../../kit/words.js'
import { cut, type Paint, painter } from '../../report/formats/terminal-text.js'
import type { Progress } from '../../run/playing/progress.js'

/** What is known of one key while a run goes on. */
export interface LaneState {
  readonly probe: string | null
  readonly waiting: { readonly until: number; readonly why: string } | null
  /** Of a probe that is played on several keys together: whether its load is on this one now. */
  readonly isLoaded: boolean
  /** Probes that came to an end on it. */
  readonly done: number
}

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

/** When a run's state is told. */
export interface ProgressMoment {
  readonly at: number
  /** The wall clock at the run's start, in milliseconds since the epoch. */
  readonly startedAtMs: number
}

/** The time of day here: `12:48:31`. */
export const timeOfDay = (epochMs: number): string => new Date(epochMs).toTimeString().slice(0, 8)

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

/** What is told of a key or an agent: its name, what it does, and how that looks. */
type Row = readonly [name: string, text: string, style: 'dim' | 'yellow' | null]

/** A run as it stands: how far it is, a line for each key with what it does or waits for and until when, and one for each agent. */
const progressLines = (
  state: RunState,
  moment: ProgressMoment,
  foreseen: Foreseen | null,
  width: number,
  paint: Paint,
): string[] => {
  const isOver = [...state.lanes.values()].every(({ probe }) => probe === null)
  const lanes = [...state.lanes].map(([key, lane]): Row => {
    const isWaiting = lane.waiting !== null && lane.waiting.until > moment.at
    return [key, doing(lane, moment, isOver), lane.probe === null || isWaiting ? 'dim' : null]
  })
  const agents = [...state.agents].map(([name, each]): Row => {
    const isIdle = each.loads.length === 0 ? 'dim' : null
    return [name, agentDoing(each), each.lost === null ? isIdle : 'yellow']
  })
  const block = (rows: readonly Row[]): string[] => {
    const names = Math.max(0, ...rows.map(([name]) => name.length))
    return rows.map(([name, text, style]) => {
      const shown = cut(text, width - names - 5)
      return `  ${paint('bold', name.padEnd(names))}  ${style === null ? shown : paint(style, shown)}`
    })
  }
  return [paint('cyan', cut(total(state, moment, foreseen), width - 1)), ...block(lanes), ...block(agents)]
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
const beginningLineOf = (event: Progress): string | undefined => {
  if (event.kind === 'waiting' && event.until - event.at > longWaitMs)
    return `${event.key}: waits ${formatDuration(event.until - event.at)} for ${event.why}`
  if (event.kind !== 'load' || event.planned === undefined) return undefined
  const { amount, lastsMs } = event.planned
  return `${event.probe} (${event.key}): sends ${counted(amount, 'request')} within ${formatDuration(lastsMs)}`
}

/** Whether a probe did not come to its end. */
export const isNews = (event: Progress): boolean =>
  event.kind === 'probe' && event.state !== 'started' && event.state !== 'completed'

/** A block of lines at the end of what a terminal shows, which is written over. */
export const liveBlock = (output: { write(text: string): unknown }) => {
  let drawn = 0
  return {
    /** Writes the lines in place of those that stand there. */
    draw(lines: readonly string[]) {
      const above = drawn > 0 ? `\u001b[${drawn}A` : ''
      output.write(`${above}${lines.map((line) => `\r\u001b[2K${line}\n`).join('')}`)
      drawn = lines.length
    },
    erase() {
      if (drawn > 0) output.write(`\u001b[${drawn}A\r\u001b[J`)
      drawn = 0
    },
  }
}

export interface ProgressOutput {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

interface ProgressOptions {
  readonly foreseen?: Foreseen
  readonly environment?: NodeJS.ProcessEnv
  readonly clock?: Pick<Clock, 'monotonicMs' | 'wallMs'>
  /** Calls again and again until it is told to stop; what counts a wait down. */
  readonly every?: (ms: number, call: () => void) => () => void
}

const usualWidth = 80
const redrawMs = 250
const leastBetweenMs = 60

const onTimer = (ms: number, call: () => void): (() => void) => {
  const timer = setInterval(call, ms)
  timer.unref()
  return () => clearInterval(timer)
}

const stamp = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`

/**
 * Tells how a run goes. On a terminal, a block of lines that is written over: a line for each key, with what it waits
 * for and until when; what went amiss stays above it. Elsewhere, a plain line with its time for each thing that happened, and for each
 * long wait or load that begins.
 */
export const createProgress = (
  output: ProgressOutput,
  { foreseen, environment = process.env, clock = systemClock, every = onTimer }: ProgressOptions = {},
) => {
  const isLive = output.isTTY === true && environment.TERM !== 'dumb'
  const paint = painter(isLive && !environment.NO_COLOR)
  const block = liveBlock(output)
  let state = freshState
  let drawnAt = Number.NEGATIVE_INFINITY
  // The run's zero on the wall clock and on the other: known from the first event on.
  let zero: { monotonicMs: number; wallMs: number } | undefined
  const draw = () => {
    if (!zero) return
    const moment = { at: clock.monotonicMs() - zero.monotonicMs, startedAtMs: zero.wallMs }
    const width = output.columns ?? usualWidth
    const lines = progressLines(state, moment, foreseen ?? null, width, paint)
    block.draw(lines)
    drawnAt = clock.monotonicMs()
  }
  const say = (text: string) => {
    block.erase()
    output.write(`${text}\n`)
    if (isLive) draw()
  }
  const stop = isLive ? every(redrawMs, draw) : () => {}
  return {
    say,
    watch(event: Progress) {
      state = after(state, event)
      zero ??= { monotonicMs: clock.monotonicMs() - event.at, wallMs: clock.wallMs() - event.at }
      const line = lineOf(event)
      if (!isLive) {
        const told = line ?? beginningLineOf(event)
        if (told !== undefined) say(`${stamp(event.at)}  ${told}`)
        return
      }
      if (line !== undefined && isNews(event)) say(paint('yellow', `${stamp(event.at)}  ${line}`))
      else if (clock.monotonicMs() - drawnAt >= leastBetweenMs) draw()
    },
    end() {
      stop()
      block.erase()
    },
  }
}
