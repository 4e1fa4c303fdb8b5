import { type Check, type CheckOf, type FindingOf, levelOf } from '../checks/framework/check.js'
import type { SentencesOf } from '../checks/framework/finding.js'
import { type SharedCode, sharedSentences } from '../checks/framework/shared-sentences.js'
import { crashed, incomplete, obstacle, type Unplayed } from '../checks/framework/unplayed.js'
import { type Clause, type ClauseId, clausesOf, type Level } from '../contract/clauses.js'
import type { Evidence } from '../evidence/evidence.js'
import { stretchesOf } from '../evidence/stretches.js'
import { count } from '../kit/words.js'
import { quotaView } from '../readings/quota-views.js'
import { combine, type Finding, type Verdict } from '../verdict/verdict.js'
import { checksOf, type DefinedCheck } from './registry.js'

type AnyCheck = CheckOf<never>

export interface CheckResult<C extends AnyCheck = AnyCheck> {
  readonly check: C
  readonly level: Level
  readonly finding: Finding
}

export interface ClauseResult<C extends AnyCheck = AnyCheck> {
  readonly clause: Clause & { readonly id: ClauseId }
  readonly verdict: Verdict
  readonly results: readonly CheckResult<C>[]
}

/** If another check of the clause passed, leaves out those that yield to it and had too little evidence. */
const withoutYielding = (results: readonly CheckResult[]): readonly CheckResult[] => {
  const isProven = results.some(({ finding }) => finding.verdict === 'pass')
  return isProven ? results.filter(({ check, finding }) => !(check.yields && finding.code === 'not-told')) : results
}

/** The verdict on a clause. Checks that only observe do not count where the clause is more than an observation. */
const verdictOf = (clause: Clause, results: readonly CheckResult[]): Verdict => {
  const binding = clause.level === 'observe' ? results : results.filter(({ level }) => level !== 'observe')
  const telling = withoutYielding(binding.length > 0 ? binding : results)
  return combine(telling.map(({ finding }) => finding.verdict))
}

/** Runs every check and combines the findings of each clause. A check that crashes does not stop the others. */
export const judgeChecks = <C extends AnyCheck>(
  checks: readonly C[],
  clauses: readonly ClauseResult['clause'][],
  judgeOne: (check: C) => Finding,
) => {
  let anyCrashed = false
  const judged = checks.map((check): CheckResult<C> => {
    const level = levelOf(check)
    try {
      return { check, level, finding: judgeOne(check) }
    } catch (error) {
      anyCrashed = true
      return { check, level, finding: crashed(error) }
    }
  })
  const ofClauses = clauses.map((clause): ClauseResult<C> => {
    const results = judged.filter(({ check }) => check.clauses.includes(clause.id))
    return { clause, results, verdict: verdictOf(clause, results) }
  })
  return { checks: judged, clauses: ofClauses, crashed: anyCrashed }
}

export type Judged<C extends AnyCheck = AnyCheck> = ReturnType<typeof judgeChecks<C>>

/** The evidence that a check judges: for a check of one quota in a contract file, that quota's view of it. */
export const seenBy = ({ quota }: Pick<Check, 'quota'>, whole: Evidence): Evidence =>
  quota === undefined ? whole : quotaView(whole, quota)

/** What one check finds in a run without events: its obstacle, its finding, or why that finding is incomplete. */
const findingIn = (check: Check, whole: Evidence): Finding => {
  const evidence = seenBy(check, whole)
  const inTheWay = obstacle(check, evidence)
  if (inTheWay) return inTheWay
  const finding = check.judge(evidence)
  const doubt = finding.verdict === 'fail' ? undefined : incomplete(check, evidence)
  return doubt ? { ...doubt, witnesses: finding.witnesses } : finding
}

/** What one check finds. If events split the run, only a breach within one stretch between them counts. */
export const judgeOne = (check: Check, whole: Evidence): Finding => {
  const together = findingIn(check, whole)
  if (whole.events.length === 0 || check.acrossEvents) return together
  const apart = stretchesOf(whole).map((stretch) => findingIn(check, stretch))
  const breach = apart.find(({ verdict }) => verdict === 'fail')
  if (breach || together.verdict !== 'fail') return breach ?? together
  const [first] = apart
  return apart.find(({ verdict }) => verdict === 'pass') ?? first
}

/** Judges the evidence of a run, live or read back: the same evidence gives the same verdicts. */
export const judge = (evidence: Evidence, checks: readonly Check[] = checksOf(evidence.run)): Judged<Check> =>
  judgeChecks(checks, clausesOf(evidence.run.contract), (check) => judgeOne(check, evidence))

/** Every finding that a check of a target can make, and those made without judging. */
export type Given = FindingOf<DefinedCheck> | Unplayed

/** A shared sentence that no finding uses, or that expects other facts than its finding gives, does not compile. */
const shared: SentencesOf<Given, SharedCode> & { readonly [C in Exclude<SharedCode, Given['code']>]: never } =
  sharedSentences

/** How many more cases were like it: `98 more Error bodies with a status`. */
const moreOf = (others: number, { needs }: Pick<Check, 'needs'>): string => {
  if (needs === undefined) return others === 1 ? 'one more' : `${count(others)} more`
  return others === 1 ? `one more of the ${needs.cases}` : `${count(others)} more ${needs.cases}`
}

/** A finding in one sentence, which ends with the number of further cases like it. */
export const sentenceOf = (check: Pick<Check, 'sentences' | 'needs'>, { code, facts }: Finding): string => {
  const sentence = (check.sentences?.[code] ?? shared[code as SharedCode])(facts as never)
  const { others } = facts
  return typeof others === 'number' && others > 0 ? `${sentence} (and ${moreOf(others, check)})` : sentence
}
