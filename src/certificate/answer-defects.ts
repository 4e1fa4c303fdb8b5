import { onceFor } from '../kit/once-for.js'
import { type Random, seededRandom, seedOfPart } from '../kit/random.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import type { CertifiedClause, NamedDefect } from './named-defect.js'
import { namings, type TooEarly, toldOfNaming, tooEarly, tooEarlyAnyway } from './named-moments.js'
import { type Caught, type Replayed, replayedAs } from './replays.js'
import { type Shows, toldOfRemaining } from './wrong-remaining.js'

/** A defect of what answers say: the limiter may count as it should. */
interface AnswerDefect extends NamedDefect {
  /** How often a key's own answers would have shown it; undefined where it could break no promise. */
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

/** What may be wrong with what answers say. */
export const answerDefects: readonly AnswerDefect[] = [
  ...naming('wait', 'a Retry-After', { '0.3s': throttled, '1s': throttled, half: throttled }),
  // One that is cut off to its second keeps its promise: of a whole one, rounded up, that is one second less.
  ...naming('reset', 'a Reset', { '2s': ['RATE-6'], half: ['RATE-6'] }, [...tooEarly, tooEarlyAnyway]),
  remaining('+1', 'of one more than is left', (left) => left + 1),
  remaining('-1', 'of one less than is left', (left) => Math.max(0, left - 1)),
  // Only a key that is asked bit by bit to its end shows these.
  remaining('+1-near-0', 'of one more than is left, once two are left', (left) => (left <= 2 ? left + 1 : left), []),
  remaining(
    '-1-near-0',
    'of one less than is left, once three are left',
    (left) => (left <= 3 ? Math.max(0, left - 1) : left),
    [],
  ),
  remaining('-frozen', 'that stays as it is', (_left, _limit, first) => first),
  remaining('-of-another', 'of an unused key', (_left, limit) => limit),
]

const tellOnce = onceFor((key: JudgedKey) =>
  onceFor((defect: AnswerDefect): Replayed | undefined => {
    const caught = defect.tell(key, seededRandom(seedOfPart(0, `${key.name} ${defect.id}`)))
    return caught && replayedAs(defect, caught)
  }),
)

/**
 * What each key's answers would have shown of these defects, the key with the fewest requests first: one target writes the
 * answers to all keys, so that what one key excludes is asked of no other.
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
