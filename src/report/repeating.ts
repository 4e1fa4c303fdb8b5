import { formatWholeSeconds, listInWords } from '../kit/words.js'
import type { CheckRow, Report } from './model.js'

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
