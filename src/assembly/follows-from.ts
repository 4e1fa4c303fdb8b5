import type { Check } from '../checks/framework/check.js'
import { areaOf, type ClauseId } from '../contract/clauses.js'
import type { Evidence } from '../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered, type RecordedResponse } from '../evidence/exchange.js'
import { isJsonObject, readJson } from '../kit/json.js'
import { type CheckResult, judgeOne, seenBy } from '../run/judge.js'
import type { Fact, Finding } from '../verdict/verdict.js'

const exchangesOf = ({ witnesses }: Finding): ReadonlySet<string> =>
  new Set(witnesses.flatMap((each) => ('id' in each ? each.id : [])))

/** The Error body that an answer should have had: its own texts if it has them, and its own status. */
const withErrorBody = (x: Answered): Partial<RecordedResponse> => {
  const reading = readJson(x.response.body.content)
  const own: { readonly [name: string]: unknown } = reading.ok && isJsonObject(reading.value) ? reading.value : {}
  const textOf = (name: string) => (typeof own[name] === 'string' ? own[name] : 'mended')
  const fields = { code: textOf('code'), message: textOf('message'), status: x.response.status }
  const content = JSON.stringify(fields)
  return { body: { encoding: 'utf8', content, bytes: content.length, truncated: false } }
}

/** What would be different in an answer if it kept the promise that it breaks; undefined if unknown. */
const mendOf = ({ code, facts }: Finding): ((x: Answered) => Partial<RecordedResponse>) | undefined => {
  if (code === 'error-field-wrong' || code === 'no-error-body') return withErrorBody
  const isOne = code === 'unexpected-status' && typeof facts.expected === 'string' && /^\d{3}$/.test(facts.expected)
  return isOne ? () => ({ status: Number(facts.expected) }) : undefined
}

/** The evidence as if the answers that show a failure were right; undefined if unknown how. */
const asMended = (evidence: Evidence, failure: Finding): Evidence | undefined => {
  const mend = mendOf(failure)
  if (!mend) return undefined
  const ids = exchangesOf(failure)
  const mended = (x: Exchange): Exchange =>
    ids.has(x.id) && isAnswered(x) ? { ...x, response: { ...x.response, ...mend(x) } } : x
  return { ...evidence, exchanges: evidence.exchanges.map(mended) }
}

type Result = CheckResult<Check>

const failing = (results: readonly Result[], clause: string): Result | undefined =>
  results.find(({ check, finding }) => finding.verdict === 'fail' && check.clauses.some((id) => id === clause))

const isOf = (plan: Fact | undefined, { facts }: Finding): boolean =>
  facts.plan === plan ||
  (Array.isArray(facts.plans) &&
    facts.plans.some((each) => typeof each === 'object' && each !== null && 'plan' in each && each.plan === plan))

/** The clauses that a completely broken limit breaks. */
const ofLimit: readonly ClauseId[] = ['QUOTA-1', 'QUOTA-2', 'QUOTA-5']

/** The obstacles that a finding itself names, if they fail in this run; for a broken limit, all failed limit clauses. */
const namedBy = ({ code, facts }: Finding, results: readonly Result[]): readonly string[] => {
  const broken = (clauses: readonly string[]) => clauses.filter((clause) => failing(results, clause) !== undefined)
  if (code === 'held-by-another-key') return broken(['QUOTA-4'])
  if (code === 'broken-the-other-way') return broken([String(facts.clause)])
  if (code !== 'plain-quota-open') return []
  const isOfPlan = ofLimit.some((clause) => {
    const found = failing(results, clause)
    return found !== undefined && isOf(facts.plan, found.finding)
  })
  return isOfPlan ? broken(ofLimit) : []
}

const ordinary = 'listInventory'

/** The operations with a quota of their own when the plain request is refused: those that a failed QUOTA-6 shows. */
const openedOperations = ({ exchanges }: Evidence, results: readonly Result[]): ReadonlySet<string> => {
  const found = failing(results, 'QUOTA-6')?.finding
  if (found?.code !== 'spelling-opens-quota') return new Set()
  const ids = exchangesOf(found)
  const own = exchanges.filter(({ id, intent }) => ids.has(id) && intent.spelling !== undefined)
  // The plain request in another spelling is still the plain one: loads show its quota.
  return new Set(own.flatMap(({ operation }) => (operation === null || operation === ordinary ? [] : operation)))
}

/** The clauses that show a plan admitting more than its limit in this run. */
const overAdmitting = (results: readonly Result[], plan: string): readonly string[] =>
  (['QUOTA-1', 'QUOTA-5'] as const).filter((clause) => {
    const finding = failing(results, clause)?.finding
    return finding !== undefined && isOf(plan, finding)
  })

const isNeverRefused = ({ exchanges, ledgers }: Evidence, key?: string): boolean =>
  !exchanges.some((x) => x.response?.status === 429 && (key === undefined || x.key === key)) &&
  !ledgers.some(({ head, rows }) => (key === undefined || head.key === key) && rows.status.includes(429))

/** The clauses whose failure explains why refusals are missing: on every loaded key, or on the smallest. */
const withoutRefusals = (evidence: Evidence, { check, finding }: Result, results: readonly Result[]) => {
  const { missing } = finding.facts
  const { keys } = evidence.run
  const isOfRefusals =
    check.clauses.every((id) => areaOf(id) === 'THROTTLE') || (Array.isArray(missing) && missing.includes('429'))
  if (isOfRefusals) {
    // With a working limit, each loaded key would have been refused.
    const loaded = keys.filter(({ name }) => evidence.ledgers.some(({ head }) => head.key === name))
    const causes = loaded.map(({ plan }) => overAdmitting(results, plan))
    return isNeverRefused(evidence) && !causes.some((each) => each.length === 0) ? [...new Set(causes.flat())] : []
  }
  if (check.lacks?.(finding)?.what !== 'refusals') return []
  // Requests that need a spent key use the key with the smallest limit.
  const [key] = keys.toSorted((a, b) => a.quota.limit - b.quota.limit)
  return key && isNeverRefused(evidence, key.name) ? overAdmitting(results, key.plan) : []
}

/** Whether what the check lacks concerns operations that have a quota of their own. */
const isOfOpened = (evidence: Evidence, { check, finding }: Result, results: readonly Result[]): boolean => {
  const { of = [] } = check.lacks?.(finding) ?? {}
  if (of.length === 0) return false
  const opened = openedOperations(evidence, results)
  return of.every((operation) => opened.has(operation))
}

/** The clauses of a check whose failing answers alone stand in the way: if they were right, this check would pass. */
const besideMended = (evidence: Evidence, { check, finding }: Result, results: readonly Result[]) => {
  if (finding.code !== 'not-told') return []
  const cause = results.find((each) => {
    const mended = each.finding.verdict === 'fail' ? asMended(evidence, each.finding) : undefined
    return mended !== undefined && judgeOne(check, mended).verdict === 'pass'
  })
  return cause?.check.clauses ?? []
}

/**
 * The clauses whose failures in this run deprive an inconclusive check of what it needs; empty if none is known to. Known
 * from what the finding names; from operations that QUOTA-6 saw admitted on a spent key; from refusals that never came on
 * plans that admit too much; and from what the check would say if the failing answers were right. It changes no verdict, but
 * if all these failures are waived, the doubt is waived with them.
 */
export const followsFrom = (evidence: Evidence, result: Result, results: readonly Result[]): readonly string[] => {
  const { check, finding } = result
  if (finding.verdict !== 'inconclusive') return []
  const same = results.filter((each) => each.check.quota === check.quota)
  const seen = seenBy(check, evidence)
  if (isOfOpened(seen, result, same)) return ['QUOTA-6']
  const told = [namedBy(finding, same), withoutRefusals(seen, result, same)].find((each) => each.length > 0)
  return told ?? besideMended(evidence, result, same)
}
