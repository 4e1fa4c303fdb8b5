import { type ApiContract, type QuotaSpec, waitName } from '../contract/api-contract.js'
import { atScale, contractForQuota, countsAgainst, partitionOf } from '../contract/partitions.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange, HeaderLine } from '../evidence/exchange.js'
import { clockErrorOf, ledgerFlags, rowWitness } from '../evidence/ledger.js'
import { onceFor } from '../kit/once-for.js'
import { type Witness, witnessText } from '../kit/witness.js'
import { limitReader } from '../readings/answers.js'
import { outcomes } from '../readings/history.js'
import { clockErrorMs } from '../readings/key-history.js'
import { numberOf, readRetryAfter } from '../readings/limit-values.js'
import { viewOf } from '../readings/quota-views.js'
import type { RateReading } from '../readings/readings.js'
import { statusOfExchange, statusOfRow } from '../readings/refusals.js'
import { attributedRefusals } from './attributed-refusals.js'
import type { SharedQuota, SharedRequests } from './shared-quota.js'

interface SharedRequest {
  readonly witness: Witness
  readonly credential: string
  readonly probe: string
  readonly sentMs: number
  readonly receivedMs: number
  /** As the engine sees it: 200, 429, 403, or another. */
  readonly status: number
  readonly waitMs: number
  /** What the answer shows as left of a quota; undefined if it does not show that. */
  readonly leftOf: (quota: QuotaSpec) => number | undefined
}

/** The wait that a refusal names in whole seconds; NaN for a date, which is less exact. */
const waitNamedIn = ({ response }: Exchange, contract: ApiContract): number => {
  const retryAfter = readRetryAfter(response?.headers ?? [], waitName(contract))
  return retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : Number.NaN
}

/** What an answer shows as left of a quota; undefined if it does not show that. */
type LeftIn = (headers: readonly HeaderLine[], quota: QuotaSpec) => number | undefined

/** Reads what is left of each quota from the headers that are about this quota alone. */
const leftReader = onceFor((evidence: Evidence): LeftIn => {
  const { contract } = viewOf(evidence)
  const readerOf = (quota: QuotaSpec) =>
    limitReader(contractForQuota(contract, quota), atScale(quota, evidence.run.timeScale))
  const readers = new Map(contract.quotas.map((quota) => [quota.id, readerOf(quota)]))
  return (headers, { id }) => {
    const reading = readers.get(id)?.(headers)
    return reading && numberOf(reading.remaining)
  }
})

const requestsIn = (evidence: Evidence, contract: ApiContract): SharedRequest[] => {
  const { exchanges, ledgers } = evidence
  const leftIn = leftReader(evidence)
  const singles = exchanges.flatMap((x): SharedRequest[] => {
    const { id, key, operation, sentAt, receivedAt } = x
    if (key === null || operation === null || x.error?.phase === 'connect') return []
    return [
      {
        witness: { id },
        credential: key,
        probe: operation,
        sentMs: sentAt,
        receivedMs: receivedAt ?? Number.POSITIVE_INFINITY,
        status: statusOfExchange(x, contract),
        waitMs: waitNamedIn(x, contract),
        leftOf: (quota) => leftIn(x.response?.headers ?? [], quota),
      },
    ]
  })
  const ofLoads = ledgers.flatMap((ledger) => {
    const { head, rows } = ledger
    const errorMs = clockErrorOf(head)
    const samples = new Map(head.samples.map(({ row, headers }) => [row, headers]))
    // A load keeps all headers of a few answers; of the rest, only those about the quota that the load was meant for.
    const leftAt = (row: number, quota: QuotaSpec) => {
      const whole = samples.get(row)
      if (whole) return leftIn(whole, quota)
      return head.quota === quota.id && rows.remaining[row] >= 0 ? rows.remaining[row] : undefined
    }
    return Array.from({ length: rows.length }, (_, row): SharedRequest => {
      const received = rows.receivedUs[row]
      return {
        witness: rowWitness(ledger, row),
        credential: head.key ?? '',
        probe: head.operation ?? '',
        sentMs: rows.sentUs[row] / 1000 - errorMs,
        receivedMs: Number.isNaN(received) ? Number.POSITIVE_INFINITY : received / 1000 + errorMs,
        status: statusOfRow(
          { status: rows.status[row], flags: rows.flags[row] },
          contract.requests[head.operation ?? ''],
        ),
        waitMs: (rows.flags[row] & ledgerFlags.retryAfterIsDate) === 0 ? rows.retryAfter[row] * 1000 : Number.NaN,
        leftOf: (quota) => leftAt(row, quota),
      }
    })
  })
  return [...singles, ...ofLoads].sort((a, b) => a.sentMs - b.sentMs)
}

const outcomeOf = ({ status }: SharedRequest): number => {
  if (status === 200) return outcomes.admitted
  if (status === 429) return outcomes.refused
  return status === 403 ? outcomes.excused : outcomes.unknown
}

const columnsOf = (requests: readonly SharedRequest[]): SharedRequests => ({
  size: requests.length,
  sentMs: Float64Array.from(requests, ({ sentMs }) => sentMs),
  receivedMs: Float64Array.from(requests, ({ receivedMs }) => receivedMs),
  outcome: Uint8Array.from(requests, outcomeOf),
  waitMs: Float64Array.from(requests, ({ waitMs }) => waitMs),
})

/** A quota for the credentials that share one limit in it, with what each request spends of it. */
const sharedQuota = (
  { quota, limit }: { readonly quota: QuotaSpec; readonly limit: number },
  requests: readonly SharedRequest[],
  timeScale: number,
): SharedQuota => {
  const { models, burst, exact, cost } = quota
  const windowMs = quota.windowMs / timeScale
  const counted = ({ credential, probe }: SharedRequest) =>
    quota.limit[credential] === limit && countsAgainst(quota, credential, probe)
  const parts = [
    ...new Set(requests.filter(counted).map(({ credential, probe }) => partitionOf(quota, credential, probe))),
  ]
  return {
    window: { limit, windowMs, models, burst, exact },
    part: Int32Array.from(requests, (each) =>
      counted(each) ? parts.indexOf(partitionOf(quota, each.credential, each.probe)) : -1,
    ),
    cost: Uint16Array.from(requests, ({ probe }) => cost[probe] ?? 1),
    clockErrorMs: clockErrorMs(windowMs),
    priorUntilMs: requests[0]?.sentMs ?? 0,
    countsRefused: true,
  }
}

/** For each quota, the refusals that another one may have made. */
const attribution = onceFor((evidence: Evidence): ReadonlyMap<string, ReadonlySet<string>> => {
  const { contract } = viewOf(evidence)
  const { timeScale } = evidence.run
  const requests = requestsIn(evidence, contract)
  const kinds = contract.quotas.flatMap((quota) =>
    [...new Set(Object.values(quota.limit))].map((limit) => ({ quota, limit })),
  )
  const quotas = kinds.map((kind) => sharedQuota(kind, requests, timeScale))
  // More left than the quota has is not what is left of it: of 10, an answer shows 15, which are another quota's.
  const isMisshown = kinds.map(({ quota, limit }, place) =>
    requests.some(({ leftOf }, i) => quotas[place].part[i] >= 0 && (leftOf(quota) ?? 0) > (quota.burst ?? limit)),
  )
  const shows = (i: number, place: number) => {
    const { leftOf, probe } = requests[i]
    const { quota } = kinds[place]
    const left = isMisshown[place] ? undefined : leftOf(quota)
    if (left === undefined) return undefined
    return left < (quota.cost[probe] ?? 1) ? 'spent' : 'left'
  }
  const { outcome } = attributedRefusals({ ...columnsOf(requests), shows }, quotas)
  const isElsewhere = (id: string, i: number) =>
    kinds.some(
      ({ quota }, place) => quota.id === id && quotas[place].part[i] >= 0 && outcome[place][i] !== outcomes.refused,
    )
  return new Map(
    contract.quotas.map(({ id }) => [
      id,
      new Set(
        requests.flatMap(({ witness, status }, i) =>
          status === 429 && isElsewhere(id, i) ? [witnessText(witness)] : [],
        ),
      ),
    ]),
  )
})

const none: ReadonlySet<string> = new Set()

/** The refusals in a view of a quota that another quota of the contract may have made, as the texts of their witnesses. */
export const refusalsOfOthers = (evidence: Evidence): ReadonlySet<string> => {
  const { beside, whole, quota } = viewOf(evidence)
  return (beside.length > 0 && attribution(whole).get(quota.id)) || none
}

/**
 * Whether another quota that counts the request may have refused it, as far as the answer itself tells: not one that shows at
 * least what the request costs. Loads keep the headers of one quota, so their rows never tell.
 */
export const mayBeOfAnother = (
  evidence: Evidence,
  { witness, operation }: Pick<RateReading, 'witness' | 'operation'>,
): boolean => {
  if (operation === undefined) return false
  const { beside, whole } = viewOf(evidence)
  const others = beside.filter(({ requests }) => requests.includes(operation))
  const answer = 'id' in witness ? evidence.exchanges.find(({ id }) => id === witness.id)?.response : undefined
  return others.some((quota) => {
    if (!answer) return true
    const left = leftReader(whole)(answer.headers, quota)
    return left === undefined || left < (quota.cost[operation] ?? 1)
  })
}
