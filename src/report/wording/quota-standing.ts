import { formatDuration } from '../../kit/duration.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { CheckRow, QuotaRow, Report } from '../model.js'
import { brokenPlansOf } from './quota-breach.js'

/** Whether every answer of a quota fits its limit, be it proven or not. */
export const fitsLimit = ({ verdict, unproven }: Pick<QuotaRow, 'verdict' | 'unproven'>): boolean =>
  verdict === 'pass' || unproven !== undefined

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
