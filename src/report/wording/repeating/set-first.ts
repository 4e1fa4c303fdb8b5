import { listInWords } from '../../../kit/list-in-words.js'
import type { Report } from '../../model.js'

/** What to set before a command of the report is repeated, where the run itself got a key another way; else `undefined`. */
export const setFirstInWords = ({ run: { setFirst = [] } }: Pick<Report, 'run'>): string | undefined =>
  setFirst.length === 0
    ? undefined
    : `Keys are read from variables: set ${listInWords(setFirst)} first; the run got ${setFirst.length === 1 ? 'that key' : 'those keys'} from a flag or a file.`

/** What the commands of a page need, for who reads it somewhere else and later: the target as it was, and the keys. */
export const neededInWords = ({ run, target }: Pick<Report, 'run' | 'target'>): string => {
  const short = run.timeScale === 1 ? '' : `, with its windows as short as in this run (--time-scale ${run.timeScale})`
  const keys = setFirstInWords({ run }) ?? 'They take keys from the variables that they name.'
  return `The commands ask ${target.baseUrl}: it has to be up${short}. ${keys}`
}
