import type { DiscoveredQuota } from '../../contract/discovered.js'
import { spanText } from '../../kit/span-text.js'
import type { DiscoveredApi } from './discover-api.js'
import { secondCredential } from './second-credential.js'

const limitText = (limit: DiscoveredQuota['limit']): string =>
  limit ? [...new Set(Object.values(limit.is))].join(' or ') : 'an unknown number'

const quotaText = ({ id, by, limit, windowMs, requests }: DiscoveredQuota): string =>
  `quota   ${id}: ${limitText(limit)} in ${windowMs ? spanText(windowMs.is) : 'an unknown time'}, by ${by.is}, of ${requests.is.join(', ')}`

/** What was found, in a few lines for a terminal. */
export const summaryOf = ({ asked, found, ended }: DiscoveredApi): string => {
  const { preset, fields, quotas, unknown } = found
  const named = fields.map(({ field }) => field.name).join(', ')
  const dialect =
    preset !== undefined && preset !== 'none' ? `${preset}: ${named}` : named || 'none that tells of limits'
  return [
    `asked   ${asked.asked} requests${ended === undefined ? '' : `; ended because ${ended}`}`,
    `headers ${dialect}`,
    ...quotas.map(quotaText),
    ...unknown.map((each) => `unknown ${each}`),
    ...secondCredential(asked, found),
  ].join('\n')
}
