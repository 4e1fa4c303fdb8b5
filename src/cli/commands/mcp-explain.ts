import { reportOf } from '../../assembly/build-report.js'
import type { Evidence } from '../../evidence/evidence.js'
import { UsageError } from '../../kit/usage-error.js'
import { listInWords, present, suggestion } from '../../kit/words.js'
import type { CheckRow, Report } from '../../report/model.js'
import { type Diagnosed, diagnosedIn, type Likeness } from '../keystone/diagnosed.js'

/** Where in a server's code a limiter's defect usually is. */
const inCode: Readonly<Record<Likeness, string>> = {
  'no-limit':
    'this route bypasses the limiter or ignores its result, or the limiter lets everybody in when its store fails',
  'keys-share-bucket':
    'the key of the counter lacks the caller: it has an address, a plan or a constant instead of the credential',
  'other-cost': 'where a route gets its weight: the number is wrong, or a default replaces it',
  'cost-cut-to-left':
    'the comparison asks whether anything is left, not whether the cost is, and the charge is cut with min() or max(0, ...)',
  'routes-count-alone':
    'the key of the counter has the path or the route in it, or each router has a limiter of its own',
  'counts-forgotten': 'the counters are in the memory of a process that was restarted, or their store was emptied',
  'quota-never-returns': 'the counter has no expiry, or the expiry is set only when the key is new, and gets lost',
  'first-request-free':
    'the first request of a window makes the counter and is not counted in it: it begins at 0, not 1',
  'first-of-window-refused':
    'the request that opens a window is decided by the count of the window before: the old count is read before it is reset',
  'sub-window':
    'a second, shorter limit stands beside this one: requests a second in a gateway or proxy, or a bucket that fills in steps',
  'limit-lower-by-one': 'the comparison with the limit: count >= limit after counting, but count > limit is meant',
  'limit-higher-by-one': 'the comparison with the limit: count > limit before counting, but count >= limit is meant',
  'limit-of-another-plan':
    'where the plan of a caller is looked up: a default, a stale cache or a wrong column is used instead',
  'requests-count-twice': 'the limiter runs twice: globally and on the route, or in the gateway and the app',
  'nodes-count-alone': 'the counters are in the memory of each process or node: they belong in a store that all share',
  'nodes-share-limit':
    'the limit is divided by the number of nodes or processes, and each counts its part in its own memory',
  'window-shorter': 'the length of the window: its unit, or an expiry that is set earlier than the window ends',
  'window-longer': 'the length of the window: its unit, or an expiry that is set again after its beginning',
  'window-in-cells':
    'the window is counted in a ring of cells: a window and one cell more must be kept, or the oldest cell weighed by its share',
  'bucket-loses-tokens':
    'the refill adds whole tokens and sets its time stamp to now: move the stamp only by the time that these tokens took',
  'every-request-renews':
    'the expiry is set with each request, so that the window never ends while requests keep coming',
  'refusals-push-window': 'the expiry is set again, or a timestamp is kept, for requests that are refused',
  'refusals-count': 'the count is raised before the decision, and refused requests stay in it',
  'check-apart-from-count':
    'the count is read, compared and then written, with an await between: make it one atomic step (INCR, a script, a lock)',
  'other-model': 'the algorithm of the limiter: it counts in another way than the contract says',
  'other-burst': 'the size of the bucket, or how many tokens it begins with',
  'other-limit': 'the number of the limit, or the rate at which a bucket fills',
  'spelling-opens-quota':
    'the key of the counter is built from the request as it was sent: build it from the credential alone, after checking it',
}

/** How many witnesses are shown: the first say most. */
const mostWitnesses = 6
/** How many characters of a body are enough to recognise it. */
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
      ? `cause    ${where}: it matches no known defect`
      : `cause    ${where}: ${looksLike} ${JSON.stringify(facts)}\nin code  ${inCode[looksLike]}`,
  )

/** Whether a check is about quotas, so that diagnoses explain it. */
const isOfQuota = ({ id, clauses }: CheckRow): boolean =>
  id.startsWith('quota.') || clauses.some((each) => each.startsWith('QUOTA'))

const checkText = (report: Report, check: CheckRow, diagnosed: readonly Diagnosed[]): string => {
  const { id, verdict, promise, message, code, advice, followsFrom, witnessesLeftOut, witnesses } = check
  const more = witnessesLeftOut + Math.max(0, witnesses.length - mostWitnesses)
  const plans = report.quotas.filter((each) => each.verdict === 'fail' && each.diagnosis !== null)
  return present(
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
    advice !== null && `advice   ${advice}`,
    followsFrom.length > 0 && `follows  from ${listInWords(followsFrom)}: fix that first`,
    'evidence',
    ...witnessLines(report, check),
    more > 0 && `  and ${more} more exchanges`,
    `again    run with only: ["${id}"]`,
  ).join('\n')
}

/** Explains a clause or check: what was seen, the exchanges that show it, the likely defect, and where in code to look. */
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
  // Failed checks say most; open ones are shown only if none failed.
  const failed = checks.filter(({ verdict }) => verdict === 'fail')
  const diagnosed = diagnosedIn(evidence, report)
  return [
    ...(clause ? [`${clause.id} (${clause.level}): ${clause.verdict}. ${clause.sentence} [${clause.source}]`] : []),
    ...(failed.length > 0 ? failed : checks).map((check) => checkText(report, check, diagnosed)),
  ].join('\n\n')
}
