import { formatDuration } from '../../kit/duration.js'
import type { QuotaRow } from '../model.js'

/** The window of a quota, as it stands behind a count: `a minute`, `in 20.0 s`, or `at once` of a bucket. */
export const windowInWords = ({
  window,
  windowMs,
  bucket,
}: Pick<QuotaRow, 'window' | 'windowMs' | 'bucket'>): string => {
  if (window === 'minute' || window === 'day') return `a ${window}`
  return bucket ? 'at once' : `in ${formatDuration(windowMs)}`
}
