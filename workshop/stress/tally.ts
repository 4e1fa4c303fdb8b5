import type { PlannedTrial } from '../../src/cli/keystone/trials.js'
import { groupedBy } from '../../src/kit/grouped-by.js'
import { type ConditionName, conditionNames, conditions } from './conditions.js'
import { decisive, outcomeOf, type TrialOutcome } from './outcome.js'
import type { StressResult } from './results.js'

/** The result of one trial under one condition, with the play that decides it. */
export interface Settled {
  readonly result: StressResult
  readonly outcome: TrialOutcome
}

/** One condition, as far as it was played. */
export interface ConditionTally {
  readonly condition: ConditionName
  readonly faults: readonly Settled[]
  readonly variations: readonly Settled[]
  /** Trials of the catalogues that were not played. */
  readonly missing: readonly string[]
}

/** The results of the planned trials by condition; conditions without any play are left out. */
export const tallyOf = (
  results: readonly StressResult[],
  trials: readonly Pick<PlannedTrial, 'id'>[],
): ConditionTally[] =>
  conditionNames.flatMap((condition): ConditionTally[] => {
    const plays = groupedBy(
      results.filter((result) => result.condition === condition),
      ({ id }) => id,
    )
    if (plays.size === 0) return []
    const settled = trials.flatMap(({ id }): Settled[] => {
      const result = decisive(plays.get(id) ?? [])
      return result ? [{ result, outcome: outcomeOf(result) }] : []
    })
    const of = (kind: StressResult['kind']) => settled.filter(({ result }) => result.kind === kind)
    const missing = trials.filter(({ id }) => !plays.has(id)).map(({ id }) => id)
    return [{ condition, faults: of('fault'), variations: of('variation'), missing }]
  })

/** How many have one of these outcomes. */
export const countOf = (settled: readonly Settled[], ...outcomes: readonly TrialOutcome[]): number =>
  settled.filter(({ outcome }) => outcomes.includes(outcome)).length

/** The share of faults that came out red; 1 if there are none. */
export const redShare = ({ faults }: ConditionTally): number =>
  faults.length === 0 ? 1 : countOf(faults, 'exact', 'otherwise-red') / faults.length

/** A share of 0.9666 as `96.6 %`: rounded down, so that it never claims more than was reached. */
export const asPercent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`

const sentences: Readonly<Partial<Record<TrialOutcome, string>>> = {
  green: 'is a fault, and nothing said so',
  accused: 'conforms, and was accused',
  'broke-down': 'could not be played',
}

/** Everything that must not happen; empty if the matrix holds. */
export const complaintsOf = (tallies: readonly ConditionTally[]): string[] =>
  tallies.flatMap((tally) => {
    const { condition, faults, variations } = tally
    const wrong = [...faults, ...variations].flatMap(({ result: { id, failing }, outcome }) => {
      const sentence = sentences[outcome]
      return sentence ? [`${condition}: ${id} ${sentence}${failing.length > 0 ? ` (${failing.join(', ')})` : ''}`] : []
    })
    const { leastRed } = conditions[condition]
    const share = redShare(tally)
    if (share >= leastRed) return wrong
    return [
      ...wrong,
      `${condition}: ${asPercent(share)} of the faults are red; at least ${asPercent(leastRed)} have to be`,
    ]
  })
