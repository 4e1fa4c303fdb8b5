import type { ApiContract } from './api-contract.js'

/** For how long a quota's refusal blocks whoever was refused, in milliseconds, where each says the same; else undefined. */
export const agreedBlockMs = ({ refusals }: Pick<ApiContract, 'refusals'>): number | undefined => {
  const lasting = new Set(refusals.flatMap(({ is, lastsMs }) => (is === 'quota' ? [lastsMs] : [])))
  const [only] = lasting
  return lasting.size === 1 ? only : undefined
}
