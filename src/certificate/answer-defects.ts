import { secondMs } from '../contract/plans.js'
import { onceFor } from '../kit/once-for.js'
import { type Random, seededRandom, seedOfPart } from '../kit/random.js'
import { countsBackWhole, isLongEnough } from '../oracle/gives-back-at-once.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import {
  countsWhole,
  keepsLimit,
  metEdge,
  metEnd,
  spentBehind,
  spentToRefusal,
  successions,
} from '../oracle/shown-remaining.js'
import type { CertifiedClause, NamedDefect } from './named-defect.js'
import { namings, type TooEarly, toldOfNaming, tooEarly, tooEarlyAnyway } from './named-moments.js'
import { type Caught, type Replayed, replayedAs } from './replays.js'

/** What an admission shows instead of the true Remaining. */
type Shows = (left: number, limit: number, first: number) => number

/** Whether the key was refused before it had spent what the answers showed, or admitted more than that. */
const isBelied = (key: JudgedKey): boolean => {
  const { record } = key
  if (countsWhole(key))
    for (const { answer, spent } of spentToRefusal(key)) if (record.remaining[answer] > spent) return true
  if (keepsLimit(key))
    for (const { remaining, admitted } of spentBehind(key)) if (admitted.length > remaining) return true
  return false
}

/** Whether Remaining did not fall between two successive requests of one window. */
const stoodStill = (key: JudgedKey): boolean => {
  const { remaining } = key.record
  for (const { first, second } of successions(key)) {
    const [from, to] = [remaining[first], remaining[second]]
    if (from === to || (from < to && !metEdge(key, first) && !metEnd(key, second))) return true
  }
  return false
}

/**
 * Whether a key's answers can show how much of its quota is spent: nothing comes back bit by bit, and the window is long
 * enough for the end that answers show.
 */
const tellsSpending = (key: JudgedKey): boolean => {
  const { record, window, clock } = key
  const { from, to } = clock.likely ?? clock
  const showsEnd = record.reset.some((seconds, i) => {
    // A refusal's Reset, or one shown with another Limit, may belong to another quota.
    if (record.status[i] !== 200 || record.limit[i] !== window.limit) return false
    const momentMs = seconds * secondMs
    return momentMs - from >= record.receivedMs[i] && momentMs - to <= record.sentMs[i] + window.windowMs + secondMs
  })
  return countsBackWhole(key) && isLongEnough(window) && showsEnd
}

/**
 * Whether a key's answers would have been found wrong if each admission had shown this as Remaining. Undefined if quota may
 * come back at any time, or if each refusal blocks the key: then it could be right.
 */
const toldOfRemaining = (key: JudgedKey, shows: Shows): Caught | undefined => {
  const { record, window } = key
  const first = record.remaining.find((left, i) => record.status[i] === 200 && left >= 0)
  if (first === undefined || !tellsSpending(key) || !keepsLimit(key) || record.blocked.includes(1)) return undefined
  const remaining = record.remaining.map((left, i) =>
    record.status[i] === 200 && record.limit[i] === window.limit ? shows(left, window.limit, first) : left,
  )
  const shown = { ...key, record: { ...record, remaining } }
  return { caught: isBelied(shown) || stoodStill(shown) ? 1 : 0, draws: 1 }
}

/** A defect in what answers say; the limiter itself may count correctly. */
interface AnswerDefect extends NamedDefect {
  /** How often a key's own answers would have shown it; undefined if it could break no promise. */
  readonly tell: (key: JudgedKey, random: Random) => Caught | undefined
}

const naming = (
  name: keyof typeof namings,
  what: string,
  demanded: Readonly<Record<string, readonly CertifiedClause[]>>,
  among: readonly TooEarly[] = tooEarly,
): AnswerDefect[] =>
  among.map((each) => ({
    id: `${name}-${each.id}`,
    words: `${what} that is ${each.words}`,
    clauses: demanded[each.id] ?? [],
    of: 'one key',
    tell: (key, random) => toldOfNaming(key, namings[name], each, random),
  }))

const remaining = (
  id: string,
  words: string,
  shows: Shows,
  clauses: readonly CertifiedClause[] = ['RATE-4'],
): AnswerDefect => ({
  id: `remaining${id}`,
  words: `a Remaining ${words}`,
  clauses,
  of: 'one key',
  tell: (key) => toldOfRemaining(key, shows),
})

const throttled = ['THROTTLE-4'] as const

export const answerDefects: readonly AnswerDefect[] = [
  ...naming('wait', 'a Retry-After', { '0.3s': throttled, '1s': throttled, half: throttled }),
  // A Reset truncated to its second keeps its promise: compared with one rounded up, it is one second less.
  ...naming('reset', 'a Reset', { '2s': ['RATE-6'], half: ['RATE-6'] }, [...tooEarly, tooEarlyAnyway]),
  remaining('+1', 'that is one too high', (left) => left + 1),
  remaining('-1', 'that is one too low', (left) => Math.max(0, left - 1)),
  // Only a key that is used up request by request shows these.
  remaining('+1-near-0', 'that is one too high below three', (left) => (left <= 2 ? left + 1 : left), []),
  remaining('-1-near-0', 'that is one too low below four', (left) => (left <= 3 ? Math.max(0, left - 1) : left), []),
  remaining('-frozen', 'that never changes', (_left, _limit, first) => first),
  remaining('-of-another', 'of an unused key', (_left, limit) => limit),
]

const tellOnce = onceFor((key: JudgedKey) =>
  onceFor((defect: AnswerDefect): Replayed | undefined => {
    const caught = defect.tell(key, seededRandom(seedOfPart(0, `${key.name} ${defect.id}`)))
    return caught && replayedAs(defect, caught)
  }),
)

/**
 * Which of these defects each key's answers would have shown, starting with the key with the fewest requests: one target
 * writes the answers for all keys, so a defect that one key excludes is not tried on others.
 */
export const toldByAnswers = (
  keys: readonly JudgedKey[],
  isMeant: (defect: AnswerDefect) => boolean = () => true,
): ReadonlyMap<JudgedKey, readonly Replayed[]> => {
  const excluded = new Set<string>()
  const bySize = keys.toSorted((a, b) => a.history.size - b.history.size)
  return new Map(
    bySize.map((key) => {
      const told = answerDefects
        .filter((defect) => isMeant(defect) && !excluded.has(defect.id))
        .flatMap((defect) => tellOnce(key)(defect) ?? [])
      for (const { defect, isExcluded } of told) if (isExcluded) excluded.add(defect.id)
      return [key, told]
    }),
  )
}
