import type { Evidence } from '../../evidence/evidence.js'
import { joinRows } from '../../evidence/ledger.js'
import { latencyFromSent, type Percentiles } from '../../load/timing/latency.js'
import type { CostRow } from '../../report/model.js'

/** Fewer answers than this have no middle to speak of. */
const enoughAnswers = 20

const shareOf = (admitted: Percentiles | null, refused: Percentiles | null): number | null => {
  if (!admitted || !refused || admitted.p50 === 0) return null
  if (Math.min(admitted.count, refused.count) < enoughAnswers) return null
  return Math.round((refused.p50 / admitted.p50) * 1000) / 1000
}

/** What an answer and a refusal took on each key, over all the loads of the profile `cost`; of no other load. */
export const limiterCosts = ({ run, ledgers, view }: Evidence): CostRow[] => {
  const told = ledgers.filter(
    ({ head }) => head.probe === 'cost' && (view === undefined || head.quota === view.quota.id),
  )
  return [...new Set(told.map(({ head }) => head.key))].map((key) => {
    const rows = joinRows(told.filter(({ head }) => head.key === key).map((each) => each.rows))
    const { admitted, refused } = latencyFromSent(rows)
    const plan = run.keys.find(({ name }) => name === key)?.plan ?? 'none'
    return { plan, admitted, refused, share: shareOf(admitted, refused) }
  })
}
