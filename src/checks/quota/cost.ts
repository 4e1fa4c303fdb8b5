import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Ledger } from '../../evidence/ledger.js'
import { defineCheck } from '../law/check.js'
import { notTested, observed } from '../law/finding.js'

/** What the answers of one outcome cost: milliseconds at the median, and how many came in a second. */
type CostOutcome = { readonly count: number; readonly medianMs: number; readonly perSecond: number | null }

/** The profile that puts its loads on one key after the other. */
const profile = 'cost'

/** Loads that are sent as fast as answers come: only these show a throughput. */
const unpaced: readonly string[] = ['burst', 'cold-start', profile]

/** A shorter stretch shows no rate. */
const leastAnswers = 10

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

const outcomeIn = (ledgers: readonly Ledger[], isMeant: (status: number) => boolean): CostOutcome => {
  const took: number[] = []
  let [answers, seconds] = [0, 0]
  for (const { rows } of ledgers) {
    const received = Array.from(rows.receivedUs).filter((_, i) => isMeant(rows.status[i]))
    rows.status.forEach((status, i) => {
      if (isMeant(status)) took.push(rows.receivedUs[i] - rows.sentUs[i])
    })
    if (received.length < leastAnswers) continue
    answers += received.length - 1
    const latest = received.reduce((most, us) => Math.max(most, us), Number.NEGATIVE_INFINITY)
    const earliest = received.reduce((least, us) => Math.min(least, us), Number.POSITIVE_INFINITY)
    seconds += (latest - earliest) / 1e6
  }
  took.sort((a, b) => a - b)
  return {
    count: took.length,
    medianMs: rounded((took[took.length >> 1] ?? 0) / 1000, 2),
    perSecond: seconds > 0 ? Math.round(answers / seconds) : null,
  }
}

const costOnKey = ({ ledgers }: Evidence, key: string) => {
  const all = ledgers.filter(({ head }) => head.key === key && unpaced.includes(head.probe))
  const alone = all.filter(({ head }) => head.probe === profile)
  // What was under way on other keys at the same time cost something too.
  const own = alone.length > 0 ? alone : all
  const admitted = outcomeIn(own, (status) => status >= 200 && status < 300)
  const refused = outcomeIn(own, (status) => status === 429)
  return { admitted, refused }
}

/** The plan that the scenario calls unlimited, where it was played and really was refused nothing. */
const unlimitedIn = (evidence: Evidence) => {
  const settings = evidence.run.probes.find(({ probe }) => probe === profile)?.settings
  const key = evidence.run.keys.find(({ plan }) => plan === settings?.unlimited)
  if (!key) return null
  const { admitted, refused } = costOnKey(evidence, key.name)
  return refused.count === 0 && admitted.count >= leastAnswers ? { plan: key.plan, admitted } : null
}

const costInWords = (each: CostOutcome): string =>
  `${each.medianMs} ms at the median${each.perSecond === null ? '' : `, ${each.perSecond} a second`}`

/** How the medians compare, where they are long enough to be compared at all. */
const costRatios = (
  { admitted, refused }: ReturnType<typeof costOnKey>,
  unlimited: ReturnType<typeof unlimitedIn>,
): string => {
  const ratio = (one: number, other: number) => (one / other).toFixed(2)
  const refusing = admitted.medianMs > 0 ? [`refusing takes ${ratio(refused.medianMs, admitted.medianMs)} of that`] : []
  const base = unlimited?.admitted.medianMs ?? 0
  const limiting = base > 0 ? [`serving ${ratio(admitted.medianMs, base)} of what it takes without a limit`] : []
  const told = [...refusing, ...limiting].join(', ')
  return told === '' ? '' : ` (${told})`
}

export const cost = defineCheck({
  id: 'quota.cost',
  promise: 'What an admitted and what a refused answer cost is reported: latency and throughput, side by side.',
  clauses: ['QUOTA-8'],
  reads: unpaced,
  judge(evidence) {
    const plans = evidence.run.keys
      .map(({ name, plan }) => ({ plan, ...costOnKey(evidence, name) }))
      .filter(({ admitted, refused }) => admitted.count > 0 && refused.count > 0)
    return plans.length > 0
      ? observed('cost-of-answers', { plans, unlimited: unlimitedIn(evidence) })
      : notTested('nothing-to-compare', {})
  },
  sentences: {
    'cost-of-answers': ({ plans, unlimited }) =>
      [
        ...plans.map(
          (each) =>
            `${planName(each.plan)}: admitted ${costInWords(each.admitted)}, refused ${costInWords(each.refused)}${costRatios(each, unlimited)}`,
        ),
        ...(unlimited ? [`without a limit (${unlimited.plan}): ${costInWords(unlimited.admitted)}`] : []),
      ].join('; '),
    'nothing-to-compare': () => 'no load that was sent at full speed has both admitted and refused answers',
  },
})
