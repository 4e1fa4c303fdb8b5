import type { Evidence } from '../../evidence/evidence.js'
import type { Ledger } from '../../evidence/ledger.js'
import { defineCheck } from '../check.js'
import { notTested, observed } from '../finding.js'

/** What the answers of one outcome cost: milliseconds at the median, and how many came in a second. */
type Outcome = { readonly count: number; readonly medianMs: number; readonly perSecond: number | null }

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'cost-of-answers': { plans: readonly { plan: string; admitted: Outcome; refused: Outcome }[] }
    'nothing-to-compare': Record<never, never>
  }
}

/** Loads that are sent as fast as answers come: only these show a throughput. */
const unpaced: readonly string[] = ['burst', 'cold-start']

/** A shorter stretch shows no rate. */
const leastAnswers = 10

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

const outcomeIn = (ledgers: readonly Ledger[], isMeant: (status: number) => boolean): Outcome => {
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
  const own = ledgers.filter(({ head }) => head.key === key && unpaced.includes(head.probe))
  const admitted = outcomeIn(own, (status) => status >= 200 && status < 300)
  const refused = outcomeIn(own, (status) => status === 429)
  return { admitted, refused }
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
    return plans.length > 0 ? observed('cost-of-answers', { plans }) : notTested('nothing-to-compare', {})
  },
})
