import { keepsWhatIsSpent, tellsSpending } from '../oracle/gives-back-at-once.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import {
  countingBack,
  countsWhole,
  keepsLimit,
  metEdge,
  metEnd,
  spentBehind,
  spentToRefusal,
  successions,
} from '../oracle/shown-remaining.js'
import type { Caught } from './replays.js'

/** What an admission shows in place of what is left. */
export type Shows = (left: number, limit: number, first: number) => number

/** Whether more was refused than remained, or more admitted. */
const isBelied = (key: JudgedKey): boolean => {
  const { record } = key
  if (countsWhole(key))
    for (const { answer, spent } of spentToRefusal(key)) if (record.remaining[answer] > spent) return true
  if (keepsLimit(key))
    for (const { remaining, admitted } of spentBehind(key)) if (admitted.length > remaining) return true
  return false
}

/** Whether Remaining did not fall between two requests of one window, of which the second followed the first. */
const stoodStill = (key: JudgedKey): boolean => {
  const { remaining } = key.record
  const [isKept, mayBeCountedBack] = [keepsWhatIsSpent(key), countingBack(key)]
  for (const { first, second } of successions(key)) {
    const [from, to] = [remaining[first], remaining[second]]
    if (from > to || !isKept(first, second) || mayBeCountedBack(first, second)) continue
    if (from === to || (!metEdge(key, first) && !metEnd(key, second))) return true
  }
  return false
}

/**
 * Whether a key's answers would have been found wrong, had each admission shown this in place of what is left. Undefined
 * where quota may come back at any time, or each refusal blocks the key: there no answer tells it from what may be right.
 */
export const toldOfRemaining = (key: JudgedKey, shows: Shows): Caught | undefined => {
  const { record, window } = key
  const first = record.remaining.find((left, i) => record.status[i] === 200 && left >= 0)
  if (first === undefined || !tellsSpending(key) || !keepsLimit(key) || record.blocked.includes(1)) return undefined
  const remaining = record.remaining.map((left, i) =>
    record.status[i] === 200 && record.limit[i] === window.limit ? shows(left, window.limit, first) : left,
  )
  const shown = { ...key, record: { ...record, remaining } }
  return { caught: isBelied(shown) || stoodStill(shown) ? 1 : 0, draws: 1 }
}
