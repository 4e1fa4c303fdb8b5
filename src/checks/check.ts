import type { ClauseId, Level } from '../contract/clauses.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Finding, FindingCode } from '../verdict/verdict.js'

/** A promise, the clauses that ask for it, the evidence that it is read from, and a pure judgement. */
export interface Check {
  /** Permanent: area, dot, the name of its file. */
  readonly id: string
  /** What holds when it passes, as a sentence in the present tense. */
  readonly promise: string
  readonly clauses: readonly ClauseId[]
  /** Where it is milder than its clauses: an observation beside what must hold. */
  readonly level?: Level
  /** The probes whose exchanges it judges; `everything` where any answer of an operation will do. */
  readonly reads: readonly string[] | 'everything'
  judge(evidence: Evidence): Finding<FindingCode>
}

export const defineCheck = (check: Check): Check => check
