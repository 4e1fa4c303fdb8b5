import { obstacleInWords } from '../../checks/framework/in-words.js'
import { type Clock, systemClock } from '../../kit/clock.js'
import { count, counted, formatDuration } from '../../kit/words.js'
import { cut, type Paint, painter } from '../../report/formats/terminal-text.js'
import type { Progress } from '../../run/playing/progress.js'

interface Lane {
  readonly probe: string | null
  readonly waiting?: { readonly until: number; readonly why: string }
  /** For a probe on several keys together: whether its load is on this key now. */
  readonly isLoaded?: boolean
}

type AgentProgress = Extract<Progress, { kind: 'agent' }>

/** What was planned, to show how far a run has come. */
export interface Foreseen {
  readonly requests: number
  readonly durationMs: number
}

/** What an agent sends, how much it has sent, and how well its clock is known; or why it was lost. */
const agentDoing = ({ lost, loads, sent, clockErrorMs }: AgentProgress): string => {
  if (lost !== null) return `lost: ${lost}`
  const clock = clockErrorMs === null ? '' : `, clock ±${clockErrorMs.toFixed(2)} ms`
  return `${loads.length === 0 ? 'ready' : loads.join(', ')}; ${counted(sent, 'request')} sent${clock}`
}

/** A line about a key or an agent: its name, what it does, and its style. */
type Row = readonly [name: string, text: string, style: 'dim' | 'yellow' | null]

/** The state of a run from its events so far; the first event gives the run's time zero. */
export const createToldRun = (foreseen: Foreseen, clock: Pick<Clock, 'monotonicMs' | 'wallMs'>) => {
  let sent = 0
  const lanes = new Map<string, Lane>()
  const agents = new Map<string, AgentProgress>()
  let zero: { readonly monotonicMs: number; readonly wallMs: number } | undefined
  const atMs = () => (zero ? clock.monotonicMs() - zero.monotonicMs : 0)
  /** The time of day here: `12:48:31`. */
  const timeAt = (ms: number) => new Date((zero?.wallMs ?? clock.wallMs()) + ms).toTimeString().slice(0, 8)

  const laneRow = ([key, { probe, waiting, isLoaded }]: readonly [string, Lane]): Row => {
    const isOver = [...lanes.values()].every((each) => each.probe === null)
    if (probe === null) return [key, isOver ? 'done' : 'waits for the others', 'dim']
    if (isLoaded) return [key, `${probe}: sends its load on this key`, null]
    const leftMs = waiting ? waiting.until - atMs() : 0
    if (!waiting || leftMs <= 0) return [key, probe, null]
    const wait = formatDuration(Math.ceil(leftMs / 1000) * 1000)
    return [key, `${probe}: waits ${wait}, until ${timeAt(waiting.until)}, for ${waiting.why}`, 'dim']
  }
  const agentRow = ([name, agent]: readonly [string, AgentProgress]): Row => {
    const style = agent.loads.length === 0 ? 'dim' : null
    return [name, agentDoing(agent), agent.lost === null ? style : 'yellow']
  }
  return {
    hasBegun: () => zero !== undefined,
    add(event: Progress): void {
      zero ??= { monotonicMs: clock.monotonicMs() - event.at, wallMs: clock.wallMs() - event.at }
      const { kind } = event
      if (kind === 'sent') sent += event.count
      if (kind === 'agent') agents.set(event.agent, event)
      if (kind === 'load') {
        const { probe } = lanes.get(event.key) ?? { probe: null }
        lanes.set(event.key, { probe, isLoaded: event.sent === undefined })
      }
      if (kind === 'waiting') lanes.set(event.key, { ...(lanes.get(event.key) ?? { probe: null }), waiting: event })
      if (kind !== 'probe') return
      const probe = event.state === 'started' ? event.probe : null
      for (const key of event.keys ?? [event.key]) lanes.set(key, { probe })
    },
    /** How much was sent, and how long the run has lasted, in milliseconds. */
    reached: () => ({ sent, ms: atMs() }),
    total(): string {
      const at = atMs()
      const elapsed = at < 60_000 ? `${Math.floor(at / 1000)} s` : formatDuration(Math.floor(at / 1000) * 1000)
      const end = at < foreseen.durationMs ? `, ends about ${timeAt(foreseen.durationMs)}` : ''
      return `${elapsed}${end}; ${count(sent)} of at most ${counted(foreseen.requests, 'request')} sent`
    },
    keys: () => [...lanes].map(laneRow),
    agents: () => [...agents].map(agentRow),
  }
}

/** Words for the state of a probe that did not finish: `failed: no-answer`. */
const stateInWords = (state: string): string => {
  const [, how, reason] = /^(failed|skipped): (.*)$/s.exec(state) ?? []
  if (how === undefined || reason === undefined) return state
  return `${how === 'skipped' ? 'left out' : 'not played to its end'}: ${obstacleInWords(reason)}`
}

/** The line of an event that stays on the screen or in a log; undefined for mere steps. */
export const lineOf = (event: Progress): string | undefined => {
  if (event.kind === 'note') return event.text
  if (event.kind === 'load')
    return event.sent === undefined
      ? undefined
      : `${event.probe} (${event.key}): ${counted(event.sent, 'request')} sent`
  if (event.kind !== 'probe' || event.state === 'started') return undefined
  return `${event.probe} (${(event.keys ?? [event.key]).join(', ')})${event.state === 'completed' ? '' : `: ${stateInWords(event.state)}`}`
}

/** Shorter waits are not mentioned. */
const longWaitMs = 5_000

/** What will take long, and how long, if nothing counts it down: silence would look like a hanging run. */
const beginningLineOf = (event: Progress): string | undefined => {
  if (event.kind === 'waiting' && event.until - event.at > longWaitMs)
    return `${event.key}: waits ${formatDuration(event.until - event.at)} for ${event.why}`
  if (event.kind !== 'load' || event.planned === undefined) return undefined
  const { amount, lastsMs } = event.planned
  return `${event.probe} (${event.key}): sends ${counted(amount, 'request')} within ${formatDuration(lastsMs)}`
}

/** Whether a probe did not finish. */
export const isNews = (event: Progress): boolean =>
  event.kind === 'probe' && event.state !== 'started' && event.state !== 'completed'

/** A block of lines at the end of a terminal, which is overwritten. */
export const liveBlock = (output: { write(text: string): unknown }) => {
  let drawn = 0
  return {
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
  readonly environment?: NodeJS.ProcessEnv
  readonly clock?: Pick<Clock, 'monotonicMs' | 'wallMs'>
  /** Calls periodically until stopped, to count waits down. */
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

const block = (rows: readonly Row[], width: number, paint: Paint): string[] => {
  const names = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text, style]) => {
    const shown = cut(text, width - names - 5)
    return `  ${paint('bold', name.padEnd(names))}  ${style === null ? shown : paint(style, shown)}`
  })
}

/**
 * Shows how a run goes. On a terminal, an overwritten block with a line for each key, what it waits for and until when;
 * problems stay above it. Elsewhere, a plain line with its time for each event, and for each long wait or load that begins.
 */
export const createProgress = (
  output: ProgressOutput,
  foreseen: Foreseen,
  { environment = process.env, clock = systemClock, every = onTimer }: ProgressOptions = {},
) => {
  const isLive = output.isTTY === true && environment.TERM !== 'dumb'
  const paint = painter(isLive && !environment.NO_COLOR)
  const drawn = liveBlock(output)
  const run = createToldRun(foreseen, clock)
  let drawnAt = Number.NEGATIVE_INFINITY
  const draw = () => {
    if (!run.hasBegun()) return
    const width = output.columns ?? usualWidth
    const rows = [run.keys(), run.agents()].flatMap((each) => block(each, width, paint))
    drawn.draw([paint('cyan', cut(run.total(), width - 1)), ...rows])
    drawnAt = clock.monotonicMs()
  }
  const say = (text: string) => {
    drawn.erase()
    output.write(`${text}\n`)
    if (isLive) draw()
  }
  const stop = isLive ? every(redrawMs, draw) : () => {}
  return {
    say,
    watch(event: Progress) {
      run.add(event)
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
      drawn.erase()
    },
  }
}
