import type { Evidence } from '../../evidence/evidence.js'
import { joinRows, type Ledger } from '../../evidence/ledger.js'
import { middleOf, steadyShare } from '../../evidence/steady-share.js'
import type { CostRow } from '../../report/model.js'
import { latencyFromSent } from '../../wire/load/latency.js'

/** Fewer answers than this have no middle to speak of. */
const enoughAnswers = 20

const isAdmitted = (status: number): boolean => status >= 200 && status < 300
const isRefused = (status: number): boolean => status === 429 || status === 403

const shareOf = (loads: readonly Ledger[]): Pick<CostRow, 'share' | 'withheld'> => {
  const [admitted, refused] = [middleOf(loads, isAdmitted), middleOf(loads, isRefused)]
  if (Math.min(admitted.count, refused.count) < enoughAnswers || admitted.us === 0)
    return { share: null, withheld: false }
  const share = steadyShare(refused, admitted)
  return { share: share === null ? null : Math.round(share * 1000) / 1000, withheld: share === null }
}

const answersOf = (loads: readonly Ledger[]) => latencyFromSent(joinRows(loads.map(({ rows }) => rows)))

/** The number of a load's round: 2 of `cost-2-free`. */
const roundOf = ({ head: { id } }: Ledger): number => Number(/^cost-(\d+)-/.exec(id)?.[1] ?? 0)

const roundRows = (loads: readonly Ledger[]): CostRow['rounds'] =>
  [...new Set(loads.map(roundOf))]
    .sort((a, b) => a - b)
    .map((round) => {
      const own = loads.filter((each) => roundOf(each) === round)
      return { round, ...answersOf(own), stoodStillMs: Math.max(...own.map(({ head }) => head.stoodStillMs)) }
    })

/** What an answer and a refusal took on each key, over all the loads of the profile `cost`; of no other load. */
export const limiterCosts = ({ run, ledgers, view }: Evidence): CostRow[] => {
  const told = ledgers.filter(
    ({ head }) => head.probe === 'cost' && (view === undefined || head.quota === view.quota.id),
  )
  return [...new Set(told.map(({ head }) => head.key))].map((key) => {
    const loads = told.filter(({ head }) => head.key === key)
    const plan = run.keys.find(({ name }) => name === key)?.plan ?? 'none'
    return { plan, ...answersOf(loads), ...shareOf(loads), rounds: roundRows(loads) }
  })
}
