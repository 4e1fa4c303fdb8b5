import type { ClauseId, Level } from '../../contract/clauses.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import type { Need } from './needs.js'

/** How a check that is left open gets more of what tells. */
export interface PlayAgain {
  /** The probe to be played once more. */
  readonly probe: string
  /** Only where the scenario plays one of these: what nobody asked for is not asked again. */
  readonly beside: readonly string[]
  /** The settings to play it with, given what was found; undefined where playing it once more would not help. */
  settings(finding: Finding): Readonly<Record<string, unknown>> | undefined
  /** Of all those settings the ones that cost most, for the plan. */
  readonly dearest: Readonly<Record<string, unknown>>
}

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
  /** What a pass takes. A check that only observes has no need. */
  readonly needs?: Need
  /**
   * Whether it looks at one side of a clause of which another check sees the whole: where it finds nothing that tells, the
   * other's pass stands. So a burst tells of Remaining beside the row that tells by itself.
   */
  readonly yields?: boolean
  readonly again?: PlayAgain
  judge(evidence: Evidence): Finding<FindingCode>
}

export const defineCheck = (check: Check): Check => check
