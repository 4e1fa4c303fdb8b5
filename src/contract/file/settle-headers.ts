import { suggestion } from '../../kit/suggestion.js'
import type { ApiContract, HeaderField } from '../api-contract.js'
import { headerPresets } from '../header-presets.js'
import type { ContractFile } from './contract-file-schema.js'
import type { Refused } from './refused.js'

/** The fields that tell of quotas, presets spelt out. Throws where one is listed twice with one meaning. */
export const settleHeaders = ({ headers, quotas }: ContractFile, refused: Refused): HeaderField[] => {
  if (typeof headers === 'string') return [...headerPresets[headers]]
  if (!Array.isArray(headers)) {
    const { level } = headers
    return headerPresets[headers.preset].map((field) => (level === undefined ? field : { ...field, level }))
  }
  const seen = new Set<string>()
  const ids = quotas.map(({ id }) => id)
  return headers.map(({ as, of, ...field }, index) => {
    if (of !== undefined && !ids.includes(of))
      throw refused(['headers', index, 'of'], `there is no quota ${of}: ${suggestion(of, ids)}`)
    const slot = `${field.name.toLowerCase()} ${field.is} ${of}`
    if (seen.has(slot))
      throw refused(['headers', index], `lists ${field.name} as ${field.is} a second time: leave it out`)
    seen.add(slot)
    return { ...field, ...(as === undefined ? {} : { as }), ...(of === undefined ? {} : { quota: of }) }
  })
}

/** What refusals promise in Retry-After; null where they promise nothing. */
export const settleRetryAfter = ({ retryAfter }: ContractFile): ApiContract['retryAfter'] =>
  retryAfter === 'none' ? null : retryAfter
