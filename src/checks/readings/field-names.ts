import { fieldsShowing, type ShownPart } from '../../contract/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'

const inventoryFields: Readonly<Record<ShownPart, string>> = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
}

/** The fields in which limit, remaining and reset stand; those that a contract does not promise are left out. */
export const fieldNames = ({ run: { contract } }: Evidence): Partial<Record<ShownPart, string>> => {
  if (!contract) return inventoryFields
  const nameOf = (part: ShownPart) => fieldsShowing(contract, part)[0]?.name
  return { limit: nameOf('limit'), remaining: nameOf('remaining'), reset: nameOf('reset') }
}
