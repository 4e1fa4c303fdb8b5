import type { Evidence } from '../../evidence/evidence.js'
import type { DefectId } from '../../oracle/diagnosis/diagnosis.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { judgedDays } from '../../petstore/checks/quota.js'
import { viewOf, viewsOfRun } from '../../readings/quota-views.js'
import type { Report } from '../../report/model.js'
import type { Fact } from '../../verdict/verdict.js'

/** A defect that the oracle knows, or a spelling of the request that has its own quota. */
export type Likeness = DefectId | 'spelling-opens-quota'

/** A run's diagnosis of its target, where a quota failed. */
export interface Diagnosed {
  /** The plan, and the window or the clause that failed on it. */
  readonly where: string
  /** Null if no known defect fits. */
  readonly looksLike: Likeness | null
  readonly facts: Readonly<Record<string, Fact>>
}

/** The diagnosis of every key whose minute or day failed, and what checks name: shared buckets and spellings. */
export const diagnosedIn = (evidence: Evidence, { checks }: Report): Diagnosed[] => {
  const views = viewsOfRun(evidence)
  const minutes = views.flatMap((view) =>
    judgedKeys(view).map((key) => ({ ...key, where: `${key.plan} ${viewOf(view).quota.id}` })),
  )
  const days = views.flatMap(judgedDays).map((day) => ({ ...day, where: `${day.plan} day` }))
  const limiters = [...minutes, ...days].flatMap(({ where, judgement, diagnosis }): Diagnosed[] =>
    judgement?.verdict === 'fail' ? [{ where, looksLike: diagnosis?.id ?? null, facts: diagnosis?.facts ?? {} }] : [],
  )
  const named = checks.flatMap(({ verdict, code, facts }): Diagnosed[] => {
    if (verdict !== 'fail') return []
    if (code === 'held-back-by-another-plan')
      return [{ where: `${facts.plan} QUOTA-4`, looksLike: 'keys-share-bucket', facts: { spent: facts.spent } }]
    if (code !== 'spelling-opens-quota') return []
    return [{ where: `${facts.plan} QUOTA-6`, looksLike: code, facts: { spellings: facts.spellings } }]
  })
  return [...limiters, ...named]
}
