import type { ApiContract, HeaderField } from './api-contract.js'

/** What an answer may show of a quota. */
export type ShownPart = 'limit' | 'remaining' | 'reset'

/** The meanings of fields in which each stands. A list of policies that no name belongs to says nothing for certain. */
const showing: Readonly<Record<ShownPart, readonly HeaderField['is'][]>> = {
  limit: ['limit', 'used/limit', 'policy', 'draft-07', 'draft-07-policy', 'draft-11-policy'],
  remaining: ['remaining', 'used', 'used/limit', 'draft-07', 'draft-11'],
  reset: ['reset', 'draft-07', 'draft-11'],
}

/** The fields of a contract in which a part stands, in its order; none where it does not promise to show it. */
export const fieldsShowing = ({ headers }: Pick<ApiContract, 'headers'>, part: ShownPart): HeaderField[] =>
  headers.filter(({ is }) => showing[part].includes(is))
