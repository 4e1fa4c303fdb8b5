import { listInWords } from '../../../kit/words/list-in-words.js'
import type { Report } from '../../model.js'

/** What to set before a command of the report is repeated, where the run itself got a key another way; else `undefined`. */
export const setFirstInWords = ({ run: { setFirst = [] } }: Pick<Report, 'run'>): string | undefined =>
  setFirst.length === 0
    ? undefined
    : `The commands below read keys from variables. Set ${listInWords(setFirst)} first: the run got ${setFirst.length === 1 ? 'that key' : 'those keys'} from a flag or a file.`
