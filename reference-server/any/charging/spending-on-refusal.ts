import { ruled } from '../../metering/ruling.js'
import type { ContractDeparture } from '../behaviour/contract-behaviour.js'
import { isExceeded, joined, spendWhatIsLeft } from './joint-ruling.js'

/**
 * Charges each quota in turn: one that another refuses is counted all the same where it would have passed. Where nothing
 * is left then, the refusal is that quota's too, and names its wait.
 */
export const spendsOnRefusal: ContractDeparture = (before) => ({
  decide(charged, nowMs) {
    const ruling = before.decide(charged, nowMs)
    if (ruling instanceof Promise || ruling.outcome !== 'refused') return ruling
    const refusing = ruling.windows.map(({ refused }) => refused)
    charged.forEach((each, index) => {
      if (!refusing[index]) spendWhatIsLeft(each, nowMs)
    })
    return joined(
      charged.map((each, index) => {
        const outcome = refusing[index] || isExceeded(each, nowMs) ? 'refused' : 'admitted'
        return ruled(each.tally, nowMs, outcome, each.cost)
      }),
    )
  },
})
