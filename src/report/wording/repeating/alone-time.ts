import { formatDuration } from '../../../kit/duration.js'
import type { CheckRow } from '../../model.js'

/** About how long the command takes that plays a check alone: `about 8 s`; `undefined` where no plan said so. */
export const aloneTimeInWords = ({ commandMs }: Pick<CheckRow, 'commandMs'>): string | undefined =>
  commandMs === undefined ? undefined : `about ${formatDuration(Math.max(1, Math.round(commandMs / 1000)) * 1000)}`
