import { formatWholeSeconds } from '../../../kit/duration.js'
import type { CheckRow } from '../../model.js'

/**
 * How long the command takes that plays a check alone: `up to 49 s`; `undefined` where no plan said so. Of a plan, so an
 * upper bound, which only what is played once more goes beyond: the whole run is often shorter.
 */
export const aloneTimeInWords = ({ commandMs }: Pick<CheckRow, 'commandMs'>): string | undefined =>
  commandMs === undefined ? undefined : `up to ${formatWholeSeconds(commandMs)}`

/** The same behind the name of the command: ` (up to 49 s)`; empty where no plan said so. */
export const aloneTimeAside = (check: Pick<CheckRow, 'commandMs'>): string => {
  const time = aloneTimeInWords(check)
  return time === undefined ? '' : ` (${time})`
}
