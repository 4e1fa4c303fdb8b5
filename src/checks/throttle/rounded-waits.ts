import { secondMs } from '../../contract/whole-seconds.js'
import { formatDuration } from '../../kit/duration.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'
import { isBeyondMinute } from '../../readings/key-history.js'
import { admissionAfter } from '../../readings/key-record.js'

/** How far off waits of whole seconds were for certain, in milliseconds: at worst too short, and at worst too long. */
interface WaitErrors {
  readonly shortMs: number
  readonly longMs: number
}

type Rounding = 'down' | 'nearest' | 'neither'

/** A target may take so long to notice that a window is over, whatever it has promised. */
const slackMs = 100

const half = secondMs / 2

/**
 * Stretches of refusals of the minute with nothing else in between: nothing was spent there, so that all of them waited
 * for one moment. As first and last place.
 */
function* refusedStretches({ record, window }: JudgedKey): Generator<readonly [from: number, to: number]> {
  let from = 0
  for (let i = 0; i <= record.size; i += 1) {
    const isRefusal =
      i < record.size &&
      record.status[i] === 429 &&
      record.ordinary[i] === 1 &&
      record.excused[i] === 0 &&
      record.blocked[i] === 0 &&
      !isBeyondMinute(record, i, window)
    if (isRefusal) continue
    if (i > from) yield [from, i - 1]
    from = i + 1
  }
}

/** When everything that was sent before each place had been answered. */
const answeredBefore = ({ record }: JudgedKey): number[] => {
  let until = Number.NEGATIVE_INFINITY
  return Array.from(record.receivedMs, (heardAt) => {
    const before = until
    until = Math.max(until, Number.isNaN(heardAt) ? Number.POSITIVE_INFINITY : heardAt)
    return before
  })
}

const errorsOn = (key: JudgedKey): WaitErrors => {
  const { record } = key
  const admitted = admissionAfter(record)
  const answered = answeredBefore(key)
  let [shortMs, longMs] = [0, 0]
  for (const [from, to] of refusedStretches(key)) {
    let last = to
    // A request that was under way beside the last refusal may have had what was there.
    while (last > from && record.sentMs[last + 1] < record.receivedMs[last]) last -= 1
    for (let i = from; i <= to; i += 1) {
      const waitMs = record.waitMs[i]
      if (Number.isNaN(waitMs) || record.waitIsDate[i] === 1) continue
      if (record.sentMs[i] >= answered[from])
        shortMs = Math.max(shortMs, record.sentMs[last] - record.receivedMs[i] - waitMs)
      const next = admitted(i)
      // A second is the least that many servers name, however little is left.
      if (next !== undefined && waitMs > secondMs)
        longMs = Math.max(longMs, record.sentMs[i] + waitMs - record.receivedMs[next])
    }
  }
  return { shortMs: Math.round(shortMs), longMs: Math.round(longMs) }
}

/** How far off the waits of a run were for certain, at worst over its keys. */
export const waitErrors = (keys: readonly JudgedKey[]): WaitErrors => {
  const all = keys.map(errorsOn)
  return {
    shortMs: Math.max(0, ...all.map((each) => each.shortMs)),
    longMs: Math.max(0, ...all.map((each) => each.longMs)),
  }
}

/**
 * What rounding fits waits that are so far off: cut off, they are too short by up to a second and never too long; to the
 * nearest second, off by half a second at the most, both ways. Null where either fits.
 */
export const roundingOf = ({ shortMs, longMs }: WaitErrors): Rounding | null => {
  const isDown = shortMs <= secondMs + slackMs && longMs <= slackMs
  const isNearest = shortMs <= half + slackMs && longMs <= half + slackMs
  if (isDown && isNearest) return null
  if (isDown) return 'down'
  return isNearest ? 'nearest' : 'neither'
}

/** What a wait of 0 s at the end of a wait says of rounding. */
export const roundingInWords = (errors: WaitErrors): string => {
  const short = `a wait of this run was at least ${formatDuration(errors.shortMs)} too short`
  const rounding = roundingOf(errors)
  if (rounding === 'neither') return ''
  if (rounding === 'down')
    return `: seconds that are rounded down look so (${short}, and rounded to the nearest one none is by more than half a second)`
  if (rounding === 'nearest')
    return `: seconds that are rounded to the nearest look so (${short}, and one at least ${formatDuration(errors.longMs)} too long, which those that are rounded down never are)`
  return ': seconds that are rounded down, or to the nearest, look so'
}
