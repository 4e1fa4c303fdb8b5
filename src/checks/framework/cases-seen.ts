import type { Exchange } from '../../evidence/exchange.js'
import { nameOf } from '../readings/answers.js'
import { observed } from './finding.js'
import { nothingTold } from './needs.js'
import type { SentencesOf } from './sentences.js'

/** Tells what each case got, without judging it. */
export const casesSeen = (exchanges: readonly Exchange[]) => {
  if (exchanges.length === 0) return nothingTold('such requests')
  const seen = exchanges.map((x) => `${nameOf(x)}: ${x.response?.status ?? 'no answer'}`)
  return observed('cases-seen', { seen }, ...exchanges)
}

export const casesSeenSentence = {
  'cases-seen': ({ seen }) => seen.join('; '),
} satisfies SentencesOf<Extract<ReturnType<typeof casesSeen>, { readonly code: 'cases-seen' }>>
