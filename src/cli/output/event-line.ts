import { obstacleInWords } from '../../checks/framework/reasons-in-words.js'
import { formatDuration } from '../../kit/duration.js'
import { counted } from '../../report/wording/summary.js'
import type { Progress } from '../../run/playing/run-log.js'

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
