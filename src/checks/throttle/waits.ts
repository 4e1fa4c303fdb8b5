import { type QuotaWindow, secondMs } from '../../contract/plans.js'
import { formatDuration } from '../../kit/words.js'
import { isKeyQuiet, type JudgedKey } from '../../oracle/judged-keys.js'
import { type SilentWait, silentWaits } from '../../oracle/silent-waits.js'
import { isBeyondMinute, isOwnRefusal } from '../../readings/key-history.js'
import { admissionAfter, answeredBefore, type KeyRecord } from '../../readings/key-record.js'

/**
 * Whether the second refusal is a ban, with a longer wait than the first had named: a run goes on after refusals to see
 * the limit, and a target may ban it for that. Whether a client that obeys is banned is THROTTLE-6's matter.
 */
const isBan = (record: KeyRecord, refusal: number, retry: number, window: QuotaWindow): boolean =>
  isBeyondMinute(record, retry, window) && !isBeyondMinute(record, refusal, window)

type CameOf = 'refused' | 'admitted' | 'untold'

/** The outcome of a request sent after a kept wait. One that costs more than the refused one was promised nothing. */
export const cameOf = ({ record, window }: JudgedKey, { refusal, retry, hadCompany }: SilentWait): CameOf => {
  const { status: statuses, cost } = record
  const status = statuses[retry]
  if (status >= 200 && status < 300) return 'admitted'
  const isDearer = cost !== undefined && cost[retry] > cost[refusal]
  const isAgain = status === 429 && record.ordinary[retry] === 1 && !hadCompany && !isDearer
  return isAgain && !isBan(record, refusal, retry, window) ? 'refused' : 'untold'
}

/** For each plan, how many requests came after a kept wait, and how many of them were refused again. */
export const countWaits = (keys: readonly JudgedKey[]) => {
  const counts = new Map<string, { tried: number; tooShort: number }>()
  for (const key of keys) {
    if (!isKeyQuiet(key)) continue
    const outcomes = new Map<number, CameOf>()
    for (const wait of silentWaits(key.record)) {
      const came = cameOf(key, wait)
      if (came !== 'untold' && outcomes.get(wait.retry) !== 'refused') outcomes.set(wait.retry, came)
    }
    const { tried, tooShort } = counts.get(key.plan) ?? { tried: 0, tooShort: 0 }
    const refused = [...outcomes.values()].filter((each) => each === 'refused').length
    counts.set(key.plan, { tried: tried + outcomes.size, tooShort: tooShort + refused })
  }
  return [...counts].flatMap(([plan, each]) => (each.tried > 0 ? [{ plan, ...each }] : []))
}

/** How far off waits in whole seconds were for certain, in milliseconds: the most too short, and the most too long. */
interface WaitErrors {
  readonly shortMs: number
  readonly longMs: number
}

type Rounding = 'down' | 'nearest' | 'neither'

/** How long a target may take to notice that a window is over, whatever it has promised. */
const slackMs = 100

const half = secondMs / 2

/** Refusals by the minute with nothing else in between, first and last place: all waited for the same moment. */
function* refusedStretches({ record, window }: JudgedKey): Generator<readonly [from: number, to: number]> {
  let from = 0
  for (let i = 0; i <= record.size; i += 1) {
    const isRefusal =
      i < record.size && isOwnRefusal(record, i, window) && record.excused[i] === 0 && record.blocked[i] === 0
    if (isRefusal) continue
    if (i > from) yield [from, i - 1]
    from = i + 1
  }
}

const errorsOn = (key: JudgedKey): WaitErrors => {
  const { record } = key
  const admitted = admissionAfter(record)
  const answered = answeredBefore(record)
  let [shortMs, longMs] = [0, 0]
  for (const [from, to] of refusedStretches(key)) {
    let last = to
    // A request in flight beside the last refusal may have taken what was there.
    while (last > from && record.sentMs[last + 1] < record.receivedMs[last]) last -= 1
    for (let i = from; i <= to; i += 1) {
      const waitMs = record.waitMs[i]
      if (Number.isNaN(waitMs) || record.waitIsDate[i] === 1) continue
      if (record.sentMs[i] >= answered[from])
        shortMs = Math.max(shortMs, record.sentMs[last] - record.receivedMs[i] - waitMs)
      const next = admitted(i)
      // Many servers name no less than a second, however little is left.
      if (next !== undefined && waitMs > secondMs)
        longMs = Math.max(longMs, record.sentMs[i] + waitMs - record.receivedMs[next])
    }
  }
  return { shortMs: Math.round(shortMs), longMs: Math.round(longMs) }
}

/** How far off the waits of a run were for certain: the worst of its keys. */
export const waitErrors = (keys: readonly JudgedKey[]): WaitErrors => {
  const all = keys.map(errorsOn)
  return {
    shortMs: Math.max(0, ...all.map((each) => each.shortMs)),
    longMs: Math.max(0, ...all.map((each) => each.longMs)),
  }
}

/**
 * The rounding that fits waits with these errors: cut-off waits are up to a second too short and never too long; waits
 * rounded to the nearest second are off by half a second at most, either way. Null if both fit.
 */
export const roundingOf = ({ shortMs, longMs }: WaitErrors): Rounding | null => {
  const isDown = shortMs <= secondMs + slackMs && longMs <= slackMs
  const isNearest = shortMs <= half + slackMs && longMs <= half + slackMs
  if (isDown && isNearest) return null
  if (isDown) return 'down'
  return isNearest ? 'nearest' : 'neither'
}

/** What a wait of 0 s in the second refusal says about rounding. */
export const roundingInWords = (errors: WaitErrors): string => {
  const short = `a wait of this run was at least ${formatDuration(errors.shortMs)} too short`
  const rounding = roundingOf(errors)
  if (rounding === 'neither') return ''
  if (rounding === 'down')
    return `: this looks like seconds that are rounded down (${short}; rounding to the nearest second takes off half a second at most)`
  if (rounding === 'nearest')
    return `: this looks like seconds that are rounded to the nearest (${short}, and one at least ${formatDuration(errors.longMs)} too long, which rounding down never causes)`
  return ': this looks like seconds that are rounded down or to the nearest'
}
