import { formatDuration } from '../../kit/duration.js'
import type { Verdict } from '../../verdict/verdict.js'
import type { QuotaRow, Report } from '../model.js'
import { modelsPhrase } from '../summary.js'

/** What is said of a quota that fits its limit where nothing was refused, so that nobody knows whether it is counted. */
export const notPutToTest = 'Fits its limit; not put to the test'

/** Whether a limit was put to the test: only a refusal shows that a target has one. */
export const isPutToTest = ({ history }: Pick<QuotaRow, 'history'>): boolean => history.refused > 0

/** The mark of a quota: what fits its limit and was never refused is not shown as proven. */
export const quotaMark = (quota: Pick<QuotaRow, 'verdict' | 'history'>): Verdict =>
  quota.verdict === 'pass' && !isPutToTest(quota) ? 'not-tested' : quota.verdict

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

/** What the models say of a quota; before that, of one that nothing was refused by, that this proves no limit. */
export const standingPhrase = (quota: QuotaRow): string =>
  quotaMark(quota) === quota.verdict ? modelsPhrase(quota) : `${notPutToTest.toLowerCase()}: nothing was refused`
