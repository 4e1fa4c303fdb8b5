import { reportOf } from '../../assembly/build-report.js'
import type { Evidence } from '../../evidence/evidence.js'
import { UsageError } from '../../kit/usage-error.js'
import { listInWords, suggestion } from '../../kit/words.js'
import type { CheckRow, Report } from '../../report/model.js'
import { type Diagnosed, diagnosedIn } from '../keystone/expected-diagnosis.js'
import { inCode } from './in-code.js'

/** Witnesses that are shown: the first tell most. */
const mostWitnesses = 6
/** What of a body is enough to know it by. */
const mostBody = 200

const told = /limit|remaining|reset|retry|policy|date|cache-control|content-type/i

const witnessLines = ({ exchanges }: Report, { witnesses }: CheckRow): string[] =>
  witnesses.slice(0, mostWitnesses).flatMap((id) => {
    const seen = exchanges.find((each) => each.id === id)
    if (!seen) return []
    const { key, sentAt, request, response, error } = seen
    const lines = response?.headers.filter(([name]) => told.test(name)).map(([name, value]) => `    ${name}: ${value}`)
    const answer = response ? `${response.status} ${response.body.slice(0, mostBody)}` : (error ?? 'no answer')
    return [
      `  ${id}, ${Math.round(sentAt)} ms into the run, key ${key ?? 'none'}: ${request.method} ${request.url} -> ${answer.trim()}`,
      ...(lines ?? []),
    ]
  })

const causesOf = (diagnosed: readonly Diagnosed[]): string[] =>
  diagnosed.map(({ where, looksLike, facts }) =>
    looksLike === null
      ? `cause    ${where}: it looks like no defect that is known`
      : `cause    ${where}: ${looksLike} ${JSON.stringify(facts)}\nin code  ${inCode[looksLike]}`,
  )

/** Whether what was found of quotas is behind a check. */
const isOfQuota = ({ id, clauses }: CheckRow): boolean =>
  id.startsWith('quota.') || clauses.some((each) => each.startsWith('QUOTA'))

const checkText = (report: Report, check: CheckRow, diagnosed: readonly Diagnosed[]): string => {
  const { id, verdict, promise, message, code, advice, followsFrom, witnessesLeftOut, witnesses } = check
  const more = witnessesLeftOut + Math.max(0, witnesses.length - mostWitnesses)
  const plans = report.quotas.filter((each) => each.verdict === 'fail' && each.diagnosis !== null)
  return [
    `${id}: ${verdict}`,
    `promise  ${promise}`,
    `seen     ${message}`,
    `found    ${code}`,
    ...(verdict === 'fail' && isOfQuota(check)
      ? [
          ...plans.map(({ plan, window, diagnosis }) => `looks    ${plan} ${window}: ${diagnosis}`),
          ...causesOf(diagnosed),
        ]
      : []),
    ...(advice === null ? [] : [`look at  ${advice}`]),
    ...(followsFrom.length === 0 ? [] : [`follows  from ${listInWords(followsFrom)}: mend that first`]),
    'evidence',
    ...witnessLines(report, check),
    ...(more > 0 ? [`  and ${more} more exchanges`] : []),
    `again    run with only: ["${id}"]`,
  ].join('\n')
}

/** A clause or a check of a run: what was seen, the exchanges that show it, what it looks like, and where that stands in code. */
export const explained = (evidence: Evidence, finding: string): string => {
  const report = reportOf(evidence)
  const clause = report.clauses.find(({ id }) => id === finding)
  const checks = report.checks.filter(({ id }) => id === finding || clause?.checks.includes(id))
  if (checks.length === 0)
    throw new UsageError(
      `finding ${finding}: ${suggestion(
        finding,
        [...report.clauses, ...report.checks].map(({ id }) => id),
      )}`,
    )
  // What failed tells most; what is open is asked for where nothing did.
  const failed = checks.filter(({ verdict }) => verdict === 'fail')
  const diagnosed = diagnosedIn(evidence, report)
  return [
    ...(clause ? [`${clause.id} (${clause.level}): ${clause.verdict}. ${clause.sentence} [${clause.source}]`] : []),
    ...(failed.length > 0 ? failed : checks).map((check) => checkText(report, check, diagnosed)),
  ].join('\n\n')
}
