import { type Clock, systemClock } from '../../kit/clock.js'
import { painter } from '../../report/formats/terminal-text.js'
import type { Progress } from '../../run/playing/run-log.js'
import { after, beginningLineOf, type Foreseen, freshState, isNews, lineOf, progressLines } from './progress-lines.js'

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
    /** Takes the block off the screen. */
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
  readonly environment?: Readonly<Record<string, string | undefined>>
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
    const lines = progressLines(state, moment, foreseen ?? null, { width, paint })
    block.draw(lines)
    drawnAt = clock.monotonicMs()
  }
  /** Writes a line that stays, above the block. */
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
    /** Takes the block off the screen. */
    end() {
      stop()
      block.erase()
    },
  }
}
