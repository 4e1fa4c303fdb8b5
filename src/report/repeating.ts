import { fewOf, formatWholeSeconds, listInWords } from '../kit/words.js'
import type { CheckRow, Report, Rerun } from './model.js'

/** How long playing this check alone takes, by its plan: `usually up to 49 s`; undefined without a plan. */
export const aloneTimeInWords = ({ commandMs }: Pick<CheckRow, 'commandMs'>): string | undefined =>
  commandMs === undefined ? undefined : `usually up to ${formatWholeSeconds(commandMs)}`

/** The same in brackets after a command: ` (usually up to 49 s)`; empty without a plan. */
export const aloneTimeAside = (check: Pick<CheckRow, 'commandMs'>): string => {
  const time = aloneTimeInWords(check)
  return time === undefined ? '' : ` (${time})`
}

/** What to set before repeating a command of the report, if the run got a key another way; else `undefined`. */
export const setFirstInWords = ({ run: { setFirst = [] } }: Pick<Report, 'run'>): string | undefined =>
  setFirst.length === 0
    ? undefined
    : `Set ${listInWords(setFirst)} before you repeat a command: commands read keys from variables, and this run got ${setFirst.length === 1 ? 'that key' : 'those keys'} from a flag or a file.`

/** What a page's commands need when somebody reads it elsewhere and later: the target as it was, and the keys. */
export const neededInWords = ({ run, target }: Pick<Report, 'run' | 'target'>): string => {
  const short = run.timeScale === 1 ? '' : `, with windows as short as in this run (--time-scale ${run.timeScale})`
  const keys = setFirstInWords({ run }) ?? 'They take keys from the variables that they name.'
  return `The commands call ${target.baseUrl}: it must be running${short}. ${keys}`
}

const beginnings: Readonly<Record<Rerun['helps'], string>> = {
  maybe: 'Another run may help',
  no: 'Another run helps only after a change',
  unknown: 'Another run may or may not help',
}

const mostTold = 2
const mostNamed = 3

const named = (ids: readonly string[]): string => {
  const told = [...new Set(ids)].filter((id) => id !== 'run')
  return told.length === 0 ? '' : ` (${listInWords(fewOf(told, mostNamed))})`
}

/** Whether another run helps, in a sentence, with the deciding reasons. */
export const rerunInWords = (helps: Rerun['helps'], reasons: Rerun['reasons']): string => {
  const deciding = reasons.filter((each) => each.helps === helps)
  const causes = [...new Set(deciding.map(({ why }) => why))]
  const told = causes.map((why) => `${why}${named(deciding.flatMap((each) => (each.why === why ? [each.of] : [])))}`)
  return `${beginnings[helps]}: ${fewOf(told, mostTold).join('; ')}.`
}
