import { fieldsShowing, type ShownPart } from '../../contract/api-contract.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import type { Evidence } from '../../evidence/evidence.js'
import { breach } from '../framework/finding.js'

/** What an answer shows of a quota, in the order in which reports name it. */
export const shownParts = ['limit', 'remaining', 'reset'] as const satisfies readonly ShownPart[]

/** The header fields of limit, remaining and reset, as far as the contract promises them for that status. */
export const fieldNames = ({ run }: Evidence, status?: number): Partial<Record<ShownPart, string>> => {
  const contract = contractOf(run)
  const nameOf = (part: ShownPart) =>
    fieldsShowing(contract, part).find(({ on }) => status !== 429 || on === undefined)?.name
  return { limit: nameOf('limit'), remaining: nameOf('remaining'), reset: nameOf('reset') }
}

/** The breach of a value that is not an integer, under the name that the contract gives it. */
export const notInteger = (evidence: Evidence, part: ShownPart, text: string, status: number) =>
  breach('header-is-no-integer', {
    header: fieldNames(evidence)[part] ?? `${part[0].toUpperCase()}${part.slice(1)}`,
    text,
    status,
  })
