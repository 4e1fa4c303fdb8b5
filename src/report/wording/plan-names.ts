import { formatDuration } from '../../kit/duration.js'
import type { QuotaRow } from '../model.js'

/** The window of a quota, as it stands behind a count: `a minute`, or `in 20.0 s`. */
export const windowInWords = ({ window, windowMs }: Pick<QuotaRow, 'window' | 'windowMs'>): string =>
  window === 'minute' || window === 'day' ? `a ${window}` : `in ${formatDuration(windowMs)}`
