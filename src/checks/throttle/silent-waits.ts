import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'
import { isBeyondMinute, type KeyWindow } from '../../readings/key-history.js'
import type { KeyRecord } from '../../readings/key-record.js'
import { isQuiet } from '../../readings/other-users.js'

interface SilentWait {
  readonly refusal: number
  readonly retry: number
  /** Whether others were under way beside the refusal: decided after it, they may have taken what it promised. */
  readonly hadCompany: boolean
}

/**
 * The refusals after which the key stayed silent for as long as they asked, each with the request that ended the
 * silence. A refusal that was answered while others were still to be sent proves nothing.
 */
export function* silentWaits(record: KeyRecord): Generator<SilentWait> {
  let lastSent = Number.NEGATIVE_INFINITY
  let lastHeard = Number.NEGATIVE_INFINITY
  let heard: Omit<SilentWait, 'retry'>[] = []
  for (let i = 0; i < record.size; i += 1) {
    // Everything that was answered after the last request went out has been followed by silence until now.
    heard = heard.filter(({ refusal }) => record.receivedMs[refusal] >= lastSent)
    // Of several that are under way at once another one may have had what was there.
    const isAlone = !(record.sentMs[i + 1] < record.receivedMs[i])
    for (const each of isAlone ? heard : []) {
      const dueMs = record.receivedMs[each.refusal] + record.waitMs[each.refusal]
      if (record.sentMs[i] >= dueMs) yield { ...each, retry: i }
    }
    lastSent = record.sentMs[i]
    const hadCompany = lastHeard > record.sentMs[i]
    const heardAt = record.receivedMs[i]
    lastHeard = Math.max(lastHeard, Number.isNaN(heardAt) ? Number.POSITIVE_INFINITY : heardAt)
    if (record.status[i] === 429 && !Number.isNaN(record.waitMs[i])) heard.push({ refusal: i, hadCompany })
  }
}

/**
 * A run goes on after refusals, to see the limit; a target may ban it for that, with a longer wait than the refusals
 * before it had named. Whether a client that obeys is banned is THROTTLE-6's matter.
 */
const isBan = (record: KeyRecord, refusal: number, retry: number, window: KeyWindow): boolean =>
  isBeyondMinute(record, retry, window) && !isBeyondMinute(record, refusal, window)

type CameOf = 'refused' | 'admitted' | 'untold'

/** What came of a request that was sent after a wait that was kept. */
export const cameOf = ({ record, window }: JudgedKey, { refusal, retry, hadCompany }: SilentWait): CameOf => {
  const status = record.status[retry]
  if (status >= 200 && status < 300) return 'admitted'
  const isAgain = status === 429 && record.ordinary[retry] === 1 && !hadCompany
  return isAgain && !isBan(record, refusal, retry, window) ? 'refused' : 'untold'
}

/** On each plan how many requests came after a wait that was kept, and how many of them were refused again. */
export const countWaits = (keys: readonly JudgedKey[]) => {
  const counts = new Map<string, { tried: number; tooShort: number }>()
  for (const key of keys) {
    if (!isQuiet(key.record)) continue
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

/** How many waits were too short: `Too short was 1 of 4 waits on Free; on Pro 0 of 6`. */
export const waitsInWords = (waits: ReturnType<typeof countWaits>): string => {
  const short = waits.filter(({ tooShort }) => tooShort > 0)
  const kept = waits.filter(({ tooShort }) => tooShort === 0)
  const tried = kept.reduce((sum, each) => sum + each.tried, 0)
  const told = short.map(
    ({ plan, tried: of, tooShort }, at) =>
      `${count(tooShort)} of ${count(of)}${at > 0 ? '' : of === 1 ? ' wait' : ' waits'} on ${planName(plan)}`,
  )
  const few = short.length === 1 && short[0].tooShort === 1
  const rest = kept.length > 0 ? `; on ${listInWords(kept.map(({ plan }) => planName(plan)))} 0 of ${count(tried)}` : ''
  return `Too short ${few ? 'was' : 'were'} ${listInWords(told)}${rest}`
}
