import { formatDuration } from '../../kit/duration.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { Verdict } from '../../verdict/verdict.js'
import type { CheckRow, QuotaRow, Report } from '../model.js'
import { modelsPhrase } from '../summary.js'
import { brokenPlansOf } from './quota-breach.js'

/** What is said of a quota that fits its limit where nothing was refused, so that nobody knows whether it is counted. */
export const notPutToTest = 'Fits its limit; not put to the test'

/** Whether a limit was put to the test: only a refusal shows that a target has one. */
export const isPutToTest = ({ history }: Pick<QuotaRow, 'history'>): boolean => history.refused > 0

/** What is said of a quota that fits its limit in a run that tests no rule of it, such as one that measures costs. */
export const rulesNotTested = 'Fits its limit; its rules were not tested'

/** The clauses that say whether a quota is kept. */
const rulesOf = ({ plan, window }: Pick<QuotaRow, 'plan' | 'window'>): readonly string[] => {
  if (window === 'day') return ['QUOTA-3']
  return plan === 'enterprise' ? ['QUOTA-5'] : ['QUOTA-1', 'QUOTA-2']
}

/** The rules of a quota's limit where this run tested none of them: that every answer fits it is no proof then. */
const untestedRules = (
  { clauses }: Pick<Report, 'clauses'>,
  quota: Pick<QuotaRow, 'plan' | 'window'>,
): readonly string[] => {
  const own = clauses.filter(({ id }) => rulesOf(quota).includes(id))
  return own.every(({ verdict }) => verdict === 'not-tested') ? own.map(({ id }) => id) : []
}

/** The mark of a quota: what fits its limit is not shown as proven where it was never refused, or its rules not tested. */
export const quotaMark = (
  report: Pick<Report, 'clauses'>,
  quota: Pick<QuotaRow, 'verdict' | 'history' | 'plan' | 'window'>,
): Verdict =>
  quota.verdict === 'pass' && (!isPutToTest(quota) || untestedRules(report, quota).length > 0)
    ? 'not-tested'
    : quota.verdict

/** Whether the counts of a quota are those of a burst on a fresh window, and not of the whole run. */
export const hasBurst = ({ sent, history }: Pick<QuotaRow, 'sent' | 'history'>): boolean => sent < history.sent

/**
 * Over how many windows the requests of a whole run on a key were spread: `over 6 windows`. Of a bucket, which has none,
 * within what time. `undefined` where one window may hold them all.
 */
export const spreadInWords = (report: Pick<Report, 'timelines'>, quota: QuotaRow): string | undefined => {
  const story = report.timelines.find(({ plan, windowMs }) => plan === quota.plan && windowMs === quota.windowMs)
  const sent = story?.points.map(([at]) => at) ?? []
  const first = sent.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const last = sent.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY)
  if (!(last - first > quota.windowMs)) return undefined
  return quota.bucket
    ? `within ${formatDuration(last - first)}`
    : `over ${Math.ceil((last - first) / quota.windowMs)} windows`
}

/** Where the counts of a quota are sums over several windows: `in all, over 6 windows`. */
export const inAllInWords = (report: Pick<Report, 'timelines'>, quota: QuotaRow): string | undefined => {
  const spread = hasBurst(quota) ? undefined : spreadInWords(report, quota)
  return spread && `in all, ${spread}`
}

/** Of a quota that fits its limit, which of its rules this run did not test: `QUOTA-1 and QUOTA-2 were not tested`. */
export const untestedInWords = (report: Pick<Report, 'clauses'>, quota: QuotaRow): string | undefined => {
  const rules = quota.verdict === 'pass' ? untestedRules(report, quota) : []
  return rules.length === 0 ? undefined : `${listInWords(rules)} ${rules.length === 1 ? 'was' : 'were'} not tested`
}

/** What the models say of a quota; before that, of one that fits its limit, why this proves no limit. */
export const standingPhrase = (report: Pick<Report, 'clauses'>, quota: QuotaRow): string => {
  if (quotaMark(report, quota) === quota.verdict) return modelsPhrase(quota)
  if (!isPutToTest(quota)) return `${notPutToTest.toLowerCase()}: nothing was refused`
  return `every answer fits its limit, but ${untestedInWords(report, quota)}`
}

/** The failed checks of a limit that are about this quota: those that name its plan, or all where none does. */
const failedChecks = ({ checks }: Pick<Report, 'checks'>, { plan }: QuotaRow): readonly CheckRow[] => {
  const failed = checks.filter(({ verdict, clauses }) => verdict === 'fail' && /^QUOTA-[1235]$/.test(clauses[0] ?? ''))
  const own = failed.filter((check) => brokenPlansOf(check).some((each) => each.plan === plan))
  return own.length > 0 ? own : failed
}

/** Of a broken quota whose failure is known: `known, and waived until 2026-12-31 (QUOTA-1)`. */
export const waivedInWords = (report: Pick<Report, 'checks'>, quota: QuotaRow): string | undefined => {
  const failed = quota.verdict === 'fail' ? failedChecks(report, quota) : []
  const until = failed.flatMap(({ waived }) => waived?.until ?? []).sort()[0]
  if (until === undefined || failed.some(({ waived }) => waived === null)) return undefined
  return `known, and waived until ${until} (${listInWords([...new Set(failed.map(({ clauses }) => clauses[0] ?? ''))])})`
}
