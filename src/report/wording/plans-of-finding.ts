import type { Fact } from '../../verdict/verdict.js'
import type { CheckRow, Report, WitnessRow } from '../model.js'
import { plansOf } from '../summary.js'
import { brokenPlansOf } from './quota-breach.js'

const isShort = (each: Fact): each is { readonly plan: string } =>
  typeof each === 'object' && each !== null && 'plan' in each && 'tooShort' in each && each.tooShort !== 0

/** The plans on which a finding counted waits that were too short. */
const plansOfWaits = ({ facts: { waits } }: CheckRow): string[] =>
  Array.isArray(waits) ? waits.filter(isShort).map(({ plan }) => plan) : []

/** The plan whose key has this name: one of that name, or `free` of `free-2`. Of `pro` and `pro-plus`, `pro-plus-2` is of the longer. */
export const planOfKey = (plans: readonly string[], key: string): string | undefined =>
  plans
    .filter((plan) => key === plan || key.startsWith(`${plan}-`))
    .reduce<string | undefined>((best, plan) => (plan.length > (best?.length ?? 0) ? plan : best), undefined)

/** The plans that a finding was seen on: those that it names, else those of the keys of its exchanges. */
export const plansOfFinding = (
  report: Pick<Report, 'quotas' | 'timelines' | 'load'>,
  check: CheckRow,
  byId: ReadonlyMap<string, WitnessRow>,
): string[] => {
  const waits = plansOfWaits(check)
  const named = waits.length > 0 ? waits : brokenPlansOf(check).map(({ plan }) => plan)
  if (named.length > 0) return [...new Set(named)]
  const plans = plansOf(report)
  const seen = new Set(check.witnesses.map((id) => planOfKey(plans, byId.get(id)?.key ?? '')))
  return plans.filter((plan) => seen.has(plan))
}
