import type { ApiContract, RefusalRule } from './api-contract.js'

/** The longest time for which a refusal blocks by any rule, or by any of a kind, in milliseconds; 0 where none does. */
export const longestBlockMs = ({ refusals }: Pick<ApiContract, 'refusals'>, kind?: RefusalRule['is']): number =>
  refusals.reduce(
    (most, { is, lastsMs = 0 }) => (kind === undefined || is === kind ? Math.max(most, lastsMs) : most),
    0,
  )

/** For how long a quota's refusal blocks whoever was refused, in milliseconds, where each says the same; else undefined. */
export const agreedBlockMs = ({ refusals }: Pick<ApiContract, 'refusals'>): number | undefined => {
  const lasting = new Set(refusals.flatMap(({ is, lastsMs }) => (is === 'quota' ? [lastsMs] : [])))
  const [only] = lasting
  return lasting.size === 1 ? only : undefined
}
