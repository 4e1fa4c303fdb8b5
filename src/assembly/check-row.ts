import { sentenceOf } from '../checks/law/sentence-of.js'
import { witnessText } from '../kit/witness.js'
import type { CheckRow } from '../report/model.js'
import type { CheckResult } from '../runner/judging/judge.js'

/** So many witnesses of a finding stand in its row; the others are counted. */
export const mostWitnesses = 12

/** What the report tells of any check. */
export const checkRow = ({ check, level, finding }: CheckResult): Omit<CheckRow, 'waived' | 'command'> => ({
  id: check.id,
  promise: check.promise,
  clauses: [...check.clauses],
  level,
  verdict: finding.verdict,
  code: finding.code,
  facts: finding.facts,
  message: sentenceOf(check, finding),
  witnesses: finding.witnesses.slice(0, mostWitnesses).map(witnessText),
  witnessesLeftOut: Math.max(0, finding.witnesses.length - mostWitnesses),
})
