import { diagnose } from '../diagnosis/diagnosis.js'

/** What a history looks like most; the search for what else it may be is left out. */
export const firstDiagnosis = (...asked: Parameters<typeof diagnose>) => diagnose(...asked).next().value
