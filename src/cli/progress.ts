import { formatDuration } from '../kit/duration.js'
import type { Progress } from '../runner/run-log.js'

export interface ProgressOutput {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

const clock = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`

/** Tells how a run goes: one line that is written over on a terminal, plain lines with times elsewhere. */
export const createProgress = (output: ProgressOutput) => {
  const running = new Map<string, string>()
  let sent = 0
  const draw = (at: number) => {
    const what = [...running].map(([key, state]) => `${key}: ${state}`).join(' · ')
    const line = `${clock(at)}  ${sent} sent  ${what}`
    output.write(`\r\u001b[2K${line.slice(0, (output.columns ?? 80) - 1)}`)
  }
  const tell = (event: Progress) => {
    if (event.kind === 'sent') sent += event.count
    if (event.kind === 'waiting') {
      running.set(event.key, `waits ${formatDuration(event.until - event.at)} for ${event.why}`)
    }
    if (event.kind === 'probe') {
      if (event.state === 'started') running.set(event.key, event.probe)
      else running.delete(event.key)
    }
  }
  return {
    watch(event: Progress) {
      tell(event)
      if (output.isTTY) draw(event.at)
      else if (event.kind === 'note') output.write(`${clock(event.at)}  ${event.text}\n`)
      else if (event.kind === 'probe' && event.state !== 'started' && event.state !== 'completed') {
        output.write(`${clock(event.at)}  ${event.probe} on ${event.key}: ${event.state}\n`)
      } else if (event.kind === 'probe' && event.state === 'completed') {
        output.write(`${clock(event.at)}  ${event.probe} (${event.key})\n`)
      }
    },
    end() {
      if (output.isTTY) output.write('\r\u001b[2K')
    },
  }
}
