import type { HeaderField } from '../../contract/any/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'

/** What the three things that answers show of a quota are called where they are shown. */
export interface FieldNames {
  readonly limit: string
  readonly remaining: string
  readonly reset: string
}

const inventoryFields: FieldNames = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
}

const showing: Readonly<Record<keyof FieldNames, readonly HeaderField['is'][]>> = {
  limit: ['limit', 'used/limit', 'draft-07', 'draft-07-policy', 'draft-11-policy'],
  remaining: ['remaining', 'used', 'used/limit', 'draft-07', 'draft-11'],
  reset: ['reset', 'draft-07', 'draft-11'],
}

/** The fields in which limit, remaining and reset stand; those that a contract does not promise are left out. */
export const fieldNames = ({ run: { contract } }: Evidence): Partial<FieldNames> => {
  if (!contract) return inventoryFields
  const found = Object.entries(showing).flatMap(([part, meanings]) => {
    const field = contract.headers.find(({ is }) => meanings.includes(is))
    return field ? [[part, field.name]] : []
  })
  return Object.fromEntries(found)
}
