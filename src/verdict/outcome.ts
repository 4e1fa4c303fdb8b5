import type { Verdict } from './verdict.js'

export type Outcome = 'pass' | 'fail' | 'inconclusive'

export interface JudgedClause {
  readonly level: 'must' | 'should' | 'observe'
  readonly verdict: Verdict
}

/**
 * What a run comes to. It fails where a `must` clause fails (under `strict` a `should` clause too); it is
 * inconclusive where one is left open, or where no `must` clause was proven at all. Nothing proven is never a pass.
 */
export const outcomeOf = (clauses: readonly JudgedClause[], strict: boolean): Outcome => {
  const binding = clauses.filter(({ level }) => level === 'must' || (strict && level === 'should'))
  if (binding.some(({ verdict }) => verdict === 'fail')) return 'fail'
  if (binding.some(({ verdict }) => verdict === 'inconclusive')) return 'inconclusive'
  const proven = clauses.some(({ level, verdict }) => level === 'must' && verdict === 'pass')
  return proven ? 'pass' : 'inconclusive'
}
