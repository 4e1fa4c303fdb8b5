import { atScale } from '../../contract/partitions.js'
import type { Evidence } from '../../evidence/evidence.js'
import { numberOf } from '../../readings/limit-values.js'
import type { RateReading } from '../../readings/rate-readings.js'
import { readLimits } from '../../readings/read-limits.js'

/**
 * Whether another quota that the request counts against may have refused it, as far as the answer itself tells: of one
 * that shows as much as the request costs, it was not. Loads keep what one quota shows, so that their rows never tell.
 */
export const mayBeOfAnother = (
  { run, view }: Evidence,
  { witness, operation }: Pick<RateReading, 'witness' | 'operation'>,
): boolean => {
  const { contract, timeScale } = run
  if (!contract || !view || operation === undefined) return false
  const others = contract.quotas.filter(({ id, requests }) => id !== view.quota.id && requests.includes(operation))
  const answer = 'id' in witness ? view.asAnswered.get(witness.id) : undefined
  return others.some((quota) => {
    if (!answer) return true
    const left = numberOf(readLimits(answer.headers, contract, atScale(quota, timeScale)).remaining)
    return left === undefined || left < (quota.cost[operation] ?? 1)
  })
}
