import { onceFor } from '../kit/once-for.js'
import { type Random, seededRandom, seedOfPart } from '../kit/random.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import type { CertifiedClause, NamedDefect } from './defects.js'
import { namings, toldOfNaming, tooEarly } from './named-moments.js'
import { type Caught, type Replayed, replayedAs } from './replays.js'

/** A defect of what answers say: the limiter may count as it should. */
interface AnswerDefect extends NamedDefect {
  /** How often a key's own answers would have shown it; undefined where it could break no promise. */
  readonly tell: (key: JudgedKey, random: Random) => Caught | undefined
}

const naming = (
  name: keyof typeof namings,
  what: string,
  demanded: Readonly<Record<string, readonly CertifiedClause[]>>,
): AnswerDefect[] =>
  tooEarly.map((each) => ({
    id: `${name}-${each.id}`,
    words: `${what} that is ${each.words}`,
    clauses: demanded[each.id] ?? [],
    of: 'one key',
    tell: (key, random) => toldOfNaming(key, namings[name], each, random),
  }))

const throttled = ['THROTTLE-4'] as const

/** What may be wrong with what answers say. */
export const answerDefects: readonly AnswerDefect[] = [
  ...naming('wait', 'a Retry-After', { '0.3s': throttled, '1s': throttled, half: throttled }),
  // One that is cut off to its second keeps its promise.
  ...naming('reset', 'a Reset', { half: ['RATE-6'] }),
]

/** What a key's answers exclude, and what they leave open. */
export const toldByAnswers = onceFor((key: JudgedKey): readonly Replayed[] =>
  answerDefects.flatMap((defect) => {
    const caught = defect.tell(key, seededRandom(seedOfPart(0, `${key.name} ${defect.id}`)))
    return caught ? [replayedAs(defect, caught)] : []
  }),
)
