import { formatWholeSeconds } from '../../../kit/duration.js'
import type { CheckRow } from '../../model.js'

/**
 * How long the command takes that plays a check alone: `as a rule up to 49 s`; `undefined` where no plan said so. The plan of
 * such a run bounds it, but for what is played once more: a whole run that ends early is often shorter.
 */
export const aloneTimeInWords = ({ commandMs }: Pick<CheckRow, 'commandMs'>): string | undefined =>
  commandMs === undefined ? undefined : `as a rule up to ${formatWholeSeconds(commandMs)}`

/** The same behind the name of the command: ` (as a rule up to 49 s)`; empty where no plan said so. */
export const aloneTimeAside = (check: Pick<CheckRow, 'commandMs'>): string => {
  const time = aloneTimeInWords(check)
  return time === undefined ? '' : ` (${time})`
}
