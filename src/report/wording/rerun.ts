import { listInWords } from '../../kit/list-in-words.js'
import type { Rerun } from '../model.js'

const beginnings: Readonly<Record<Rerun['helps'], string>> = {
  maybe: 'Another run may help',
  no: 'Another run helps only after a change',
  unknown: 'Whether another run helps is not known',
}

/** So many reasons are told; the others are counted. */
const mostTold = 2
const mostNamed = 3

const named = (ids: readonly string[]): string => {
  const told = [...new Set(ids)].filter((id) => id !== 'run')
  const more = told.length - mostNamed
  return told.length === 0
    ? ''
    : ` (${listInWords([...told.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])])})`
}

/** Whether another run helps, in a sentence, with the reasons that decide it. */
export const rerunInWords = (helps: Rerun['helps'], reasons: Rerun['reasons']): string => {
  const deciding = reasons.filter((each) => each.helps === helps)
  const causes = [...new Set(deciding.map(({ why }) => why))]
  const told = causes
    .slice(0, mostTold)
    .map((why) => `${why}${named(deciding.flatMap((each) => (each.why === why ? [each.of] : [])))}`)
  const more = causes.length - told.length
  return `${beginnings[helps]}: ${[...told, ...(more > 0 ? [`${more} more`] : [])].join('; ')}.`
}
