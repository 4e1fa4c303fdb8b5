import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import { familiesThatExplain } from '../limiter-families.js'
import type { QuotaRow } from '../model.js'
import { fitsLimit, hasBurst } from './quota-standing.js'

const across = ({ limit }: QuotaRow): string =>
  `where one window ends and the next begins, each may admit its ${count(limit)}, so up to ${count(2 * limit)} stand side by side across that edge`

const fromBucket = ({ limit }: QuotaRow): string =>
  `a full bucket admits ${count(limit)} at once, and what flows in meanwhile on top, up to ${count(2 * limit)} in all`

/** Where a quota is broken, what shows it in place of its fullest span; empty where nothing was seen that shows it. */
const whatProvesIt = ({ breach }: QuotaRow): string => {
  if (!breach) return ''
  const seen =
    breach.kind === 'over-admission'
      ? `the ${count(breach.admitted)} admitted within ${formatDuration(breach.toMs - breach.fromMs)}`
      : `the refusal with at most ${count(breach.admitted)} admitted`
  return ` What breaks the limit is ${seen}: no permitted way of counting explains that together with the rest of the run.`
}

/** The most that was admitted in any span of one window, and what follows from it: above the limit it needs a word. */
export const mostAdmittedInWords = (quota: QuotaRow): string => {
  const { limit, worstMinute } = quota
  const most = `Most admitted in any ${formatDuration(quota.windowMs)}: ${count(worstMinute)}`
  if (worstMinute <= limit) return `${most}, never more than the limit.`
  if (fitsLimit(quota)) {
    const families = familiesThatExplain(quota)
    const why = families.has('windows') || !families.has('bucket') ? across(quota) : fromBucket(quota)
    return `${most}. With a limit of ${count(limit)} that is no breach: ${why}.`
  }
  const isBucket = quota.bucket !== undefined
  if (worstMinute > 2 * limit)
    return `${most}: more than ${isBucket ? 'a full bucket and all that flows in meanwhile come to' : 'even two windows side by side may admit'} (${count(2 * limit)}).`
  return `${most}. That alone proves nothing: ${isBucket ? fromBucket(quota) : across(quota)}.${whatProvesIt(quota)}`
}

/** Why a kept quota has more admitted in its burst than its limit; undefined where it has not. */
export const beyondLimitInWords = (quota: QuotaRow): string | undefined => {
  const { limit, admitted } = quota
  if (!fitsLimit(quota) || !hasBurst(quota) || admitted <= limit) return undefined
  const families = familiesThatExplain(quota)
  const why =
    quota.bucket === undefined && (families.has('windows') || !families.has('bucket'))
      ? `the burst fell into two windows, and each may admit its ${count(limit)}`
      : `a full bucket admits ${count(limit)} at once, and what flows in meanwhile on top`
  return `${count(admitted)} where the limit is ${count(limit)} is no breach: ${why}`
}
