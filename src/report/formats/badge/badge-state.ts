import type { Report } from '../../model.js'

/** What a badge says, and how grave it is. */
export interface BadgeState {
  readonly words: 'kept' | 'broken' | 'unproven' | `${'kept' | 'unproven'}, contract broken`
  readonly kind: 'good' | 'bad' | 'open'
}

/** The clauses that say that a quota is enforced: those of what is admitted and refused. */
const isQuotaClause = (id: string): boolean => id.startsWith('QUOTA-')

/**
 * What is known of the quotas. They are kept only where the run passes, at least one was proven and none was left open;
 * a failure that is waived is a failure here, for whoever looks at a badge knows no waiver. A run that fails for another
 * reason is never green.
 */
export const badgeState = ({
  outcome,
  quotas,
  clauses,
}: Pick<Report, 'outcome' | 'quotas' | 'clauses'>): BadgeState => {
  const judged = [...quotas, ...clauses.filter(({ id, level }) => isQuotaClause(id) && level === 'must')]
  if (judged.some(({ verdict }) => verdict === 'fail')) return { words: 'broken', kind: 'bad' }
  const isProven = quotas.some(({ verdict }) => verdict === 'pass')
  const isOpen = judged.some(({ verdict }) => verdict === 'inconclusive')
  const words = isProven && !isOpen ? 'kept' : 'unproven'
  if (outcome === 'fail') return { words: `${words}, contract broken`, kind: 'bad' }
  return words === 'kept' && outcome === 'pass' ? { words, kind: 'good' } : { words: 'unproven', kind: 'open' }
}
