import type { Exchange } from '../../../evidence/exchange.js'
import type { Finding, FindingCode } from '../../../verdict/verdict.js'
import { nameOf } from '../../readings/answers.js'
import { observed } from '../finding.js'
import { nothingTold } from '../needs.js'

declare module '../../../verdict/verdict.js' {
  interface FindingFacts {
    /** What each case got, as `case: status`. */
    'cases-seen': { seen: readonly string[] }
  }
}

/** Tells what each case got, without judging it. */
export const casesSeen = (exchanges: readonly Exchange[]): Finding<FindingCode> => {
  if (exchanges.length === 0) return nothingTold('such requests')
  const seen = exchanges.map((x) => `${nameOf(x)}: ${x.response?.status ?? 'no answer'}`)
  return observed('cases-seen', { seen }, ...exchanges)
}
