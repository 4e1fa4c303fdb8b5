import type { Check, FindingOf } from '../checks/framework/check.js'
import type { Sentences, SentencesOf } from '../checks/framework/finding.js'
import { type SharedCode, sharedSentences } from '../checks/framework/shared-sentences.js'
import type { Unplayed } from '../checks/framework/unplayed.js'
import { count } from '../kit/words.js'
import type { Finding } from '../verdict/verdict.js'
import type { DefinedCheck } from './registry.js'

type Given = FindingOf<DefinedCheck> | Unplayed

type Unsaid = Exclude<SharedCode, Given['code']>

/** A shared sentence that no finding needs any more, or that tells of other facts than one gives, does not compile. */
const shared: SentencesOf<Given, SharedCode> & { readonly [C in Unsaid]: never } = sharedSentences

/** What more of the same was seen: `98 more Error bodies with a status`. */
const moreOf = (others: number, { needs }: Pick<Check, 'needs'>): string => {
  if (needs === undefined) return others === 1 ? 'one more' : `${count(others)} more`
  return others === 1 ? `one more of the ${needs.cases}` : `${count(others)} more ${needs.cases}`
}

/** A finding in one sentence. What more of the same was seen is told at its end. */
export const sentenceOf = (check: Pick<Check, 'sentences' | 'needs'>, { code, facts }: Finding): string => {
  const all: Sentences = { ...shared, ...check.sentences }
  const sentence = all[code](facts as never)
  const { others } = facts
  return typeof others === 'number' && others > 0 ? `${sentence} (and ${moreOf(others, check)})` : sentence
}
