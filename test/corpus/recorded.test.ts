import { describe, expect, it } from 'vitest'
import { blocking, leakyBucket, twoPolicies } from '../../reference-server/testing/keystone-contracts.js'
import { contractTrials, plannedTrials } from '../../src/cli/keystone/trials.js'
import { expectedOf, recordings } from '../../workshop/corpus/recordings.js'

/** What every fault and variation of every contract is, by its recording's name. */
const catalogued = (): Map<string, { expected: readonly string[]; kind: string }> => {
  const petstore = plannedTrials([]).map((trial) => [`petstore/${trial.id}`, trial] as const)
  const others = [blocking, leakyBucket, twoPolicies].flatMap((contract) =>
    contractTrials(contract).map((trial) => [`${contract.name}/${trial.id}`, trial] as const),
  )
  return new Map([...petstore, ...others])
}

const recorded = recordings()

/** What a crowded machine left open whenever it was played: to be recorded anew on a quiet one. */
const toBeRecorded = ['limiter-token-bucket', 'resets-rounded-down', 'retry-after-next-second'].map(
  (id) => `two-policies/${id}`,
)

const clausesOf = (id: string, verdict: string): string[] =>
  expectedOf(id).flatMap((line) => {
    const [kind, clause, level, found] = JSON.parse(line)
    return kind === 'clause' && level !== 'observe' && found === verdict ? [clause] : []
  })

describe('the recorded runs', () => {
  it('are there for every fault and variation of every contract', () => {
    expect([...catalogued().keys()].filter((id) => !recorded.includes(id))).toEqual(toBeRecorded)
  })

  it('are of no fault that there is not', () => {
    const known = catalogued()
    const ofCatalogues = recorded.filter((id) => /^(petstore|blocking|leaky-bucket|two-policies)\//.test(id))
    expect(ofCatalogues.filter((id) => !known.has(id) && !id.endsWith('/plain'))).toEqual([])
  })

  it.each([...catalogued()].filter(([id]) => recorded.includes(id)))(
    '%s fails exactly the clauses that it breaks',
    (id, { kind, expected }) => {
      expect(clausesOf(id, 'fail').sort()).toEqual([...expected].sort())
      if (kind === 'variation') expect(clausesOf(id, 'inconclusive')).toEqual([])
    },
  )
})
