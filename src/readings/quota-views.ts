import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import {
  atScale,
  contractForQuota,
  countsAgainst,
  longestBlockMs,
  partitionOf,
  quotaKeys,
  windowOfQuota,
} from '../contract/partitions.js'
import { contractOf } from '../contract/petstore/petstore.js'
import { windowLengthMs } from '../contract/plans.js'
import type { Evidence, QuotaView } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { clockErrorOf, type Ledger, ledgerFlags } from '../evidence/ledger.js'
import { aroundEvent, type SettledEvent, stretchesOf } from '../evidence/stretches.js'
import { onceFor } from '../kit/once-for.js'
import { answerReader } from './answers.js'
import { settledStatus, statusOfExchange, statusOfRow } from './refusals.js'
import { clockOfWaits, type TargetClock } from './target-clock.js'

/** Whether every moment in the contract's answers is counted from their receipt. */
const namesWaits = ({ headers }: Pick<ApiContract, 'headers'>): boolean => {
  const resets = headers.filter((field) => field.is === 'reset' || field.is.startsWith('draft'))
  return resets.every(({ as }) => as === undefined || as === 'delta-s' || as === 'delta-ms' || as === 'duration')
}

/** A request sent for another quota counts here too, but is not part of a probe played for this one. */
const otherProbe = (probe: string): string => `for another quota: ${probe}`

/** An exchange as one quota sees it: under the key that it counts by, with its settled status and original headers. */
const exchangeOfQuota = (x: Exchange, contract: ApiContract, quota: QuotaSpec): Exchange => ({
  ...x,
  key: partitionOf(quota, x.key ?? '', x.operation ?? ''),
  credential: x.credential === 'agreed' ? 'bearer' : x.credential,
  probe: x.quota === undefined || x.quota === quota.id ? x.probe : otherProbe(x.probe),
  response: x.response && x.receivedAt !== null ? { ...x.response, status: statusOfExchange(x, contract) } : x.response,
})

/** The same for a load, with Reset in seconds since the epoch; a load for another quota loses that quota's fields. */
const ledgerOfQuota = (ledger: Ledger, contract: ApiContract, quota: QuotaSpec, wallStartMs: number): Ledger => {
  const { head, rows } = ledger
  const operation = head.operation ?? ''
  const isOwn = head.quota === undefined || head.quota === quota.id
  const asked = contract.requests[operation]
  const status = rows.status.map((each, i) => statusOfRow({ status: each, flags: rows.flags[i] }, asked))
  const unread = () => new Float64Array(rows.length).fill(Number.NaN)
  // Counted from the latest possible receipt, as readers of it count too.
  const receivedEpochS = (i: number) => (wallStartMs + rows.receivedUs[i] / 1000 + clockErrorOf(head)) / 1000
  const reset = rows.reset.map((seconds, i) =>
    (rows.flags[i] & ledgerFlags.resetFromNow) === 0 ? seconds : receivedEpochS(i) + seconds,
  )
  const retryAfter =
    contract.retryAfter === null && isOwn
      ? reset.map((at, i) => (status[i] === settledStatus.quota ? Math.max(0, at - receivedEpochS(i)) : Number.NaN))
      : rows.retryAfter
  const fields = isOwn ? { reset } : { limit: unread(), remaining: unread(), reset: unread() }
  return {
    ...ledger,
    head: {
      ...head,
      key: head.key === null ? null : partitionOf(quota, head.key, operation),
      probe: isOwn ? head.probe : otherProbe(head.probe),
    },
    rows: { ...rows, status, retryAfter, ...fields },
  }
}

/** So late after a run's start that nothing is judged by it: a view has one window. */
const noSecondWindowMs = 1e15

/** The shortest block after a quota's refusal, in milliseconds; 0 if some of its refusals block nobody. */
const shortestBlockMs = ({ refusals }: Pick<ApiContract, 'refusals'>): number => {
  const times = refusals.flatMap(({ is, lastsMs = 0, leastMs = lastsMs }) => (is === 'quota' ? [leastMs] : []))
  return times.length === 0 ? 0 : Math.min(...times)
}

const quotaViewOf = (evidence: Evidence, whole: ApiContract, quota: QuotaSpec): Evidence => {
  const contract = contractForQuota(whole, quota)
  const { run } = evidence
  const { wallStartMs, timeScale } = run
  const shown = atScale(quota, timeScale)
  const counts = (operation: string | null | undefined, key: string | null) =>
    countsAgainst(quota, key ?? '', operation ?? '')
  const ofQuota = <T extends { readonly quota?: string }>(each: T) =>
    each.quota === undefined || each.quota === quota.id
  return {
    ...evidence,
    run: {
      ...run,
      contract,
      keys: quotaKeys(
        contract,
        quota,
        run.keys.map(({ name }) => name),
      ),
      probes: run.probes.filter(ofQuota),
    },
    exchanges: evidence.exchanges
      .filter(({ operation, key }) => counts(operation, key))
      .map((x) => exchangeOfQuota(x, contract, shown)),
    ledgers: evidence.ledgers
      .filter(({ head }) => counts(head.operation, head.key))
      .map((ledger) => ledgerOfQuota(ledger, contract, shown, wallStartMs)),
    probes: evidence.probes.filter(ofQuota),
    view: {
      contract,
      quota,
      beside: whole.quotas.filter(({ id }) => id !== quota.id),
      windowMs: windowOfQuota(quota, timeScale),
      dayMs: noSecondWindowMs,
      namesWaits: namesWaits(contract),
      knowsUnits: true,
      blockedForMs: longestBlockMs(contract, 'quota') / timeScale,
      blockedAtLeastMs: shortestBlockMs(contract) / timeScale,
      // The view holds only requests that count against the quota.
      isOrdinary: () => true,
      whole: evidence,
    },
  }
}

/** By the ids of the judged quotas; a run under the bundled contract is judged as it is, by its minute. */
const viewsOf = onceFor((evidence: Evidence): ReadonlyMap<string, Evidence> => {
  const { contract } = evidence.run
  return contract
    ? new Map(contract.quotas.map((quota) => [quota.id, quotaViewOf(evidence, contract, quota)]))
    : new Map([[viewOf(evidence).quota.id, evidence]])
})

/**
 * The evidence of a run as one quota of its contract sees it: only what counts against the quota, under the key that it
 * counts by, and with settled statuses: a 403 that the contract calls a refusal is a 429. Headers are as they came.
 */
export const quotaView = (evidence: Evidence, quotaId: string): Evidence => {
  const seen = viewsOf(evidence).get(quotaId)
  if (!seen) throw new Error(`the contract has no quota ${quotaId}`)
  return seen
}

/** The evidence as it is judged: as each quota of the contract sees it, or unchanged under the bundled contract. */
export const viewsOfRun = (evidence: Evidence): Evidence[] => [...viewsOf(evidence).values()]

const seenAlike = (evidence: Evidence, part: Evidence): Evidence => quotaView(part, viewOf(evidence).quota.id)

/** The stretches of a run between its events, each seen through the same view as the evidence. */
export const stretchesSeen = (evidence: Evidence): readonly Evidence[] =>
  stretchesOf(viewOf(evidence).whole).map((each) => seenAlike(evidence, each))

/** The run around an event as if it had not happened, until a window after it, seen through the same view as the evidence. */
export const seenAround = (evidence: Evidence, event: SettledEvent): Evidence => {
  const { whole, windowMs } = viewOf(evidence)
  return seenAlike(evidence, aroundEvent(whole, event, windowMs))
}

const ordinaryOperation = 'listInventory'

/** The Petstore's own view: all of its evidence, judged by the minute, with the day as the longer window. */
const minuteView = onceFor((evidence: Evidence): QuotaView => {
  const { run } = evidence
  const contract = contractOf(run)
  return {
    contract,
    quota: contract.quotas[0],
    // A refusal by the day shows the day's numbers.
    beside: [],
    windowMs: windowLengthMs('minute', run.timeScale),
    dayMs: windowLengthMs('day', run.timeScale),
    namesWaits: false,
    knowsUnits: false,
    blockedForMs: longestBlockMs(contract, 'quota') / run.timeScale,
    blockedAtLeastMs: shortestBlockMs(contract) / run.timeScale,
    isOrdinary: ({ operation, request }) => operation === ordinaryOperation && request.url.endsWith('/inventory'),
    whole: evidence,
  }
})

/** The view by which evidence is judged, with windows at the run's time scale. */
export const viewOf = (evidence: Evidence): QuotaView => evidence.view ?? minuteView(evidence)

/**
 * Reads the answers of a run by one quota of its contract, one at a time while the run is played.
 *
 * @param clock the target's clock, as known so far.
 */
export const answersWhilePlayed = (
  contract: ApiContract,
  quota: QuotaSpec,
  wallStartMs: number,
  clock: () => TargetClock,
) => ({
  exchange: (x: Exchange) => exchangeOfQuota(x, contract, quota),
  /** Takes an exchange as the quota sees it. */
  read: answerReader(contract, quota, wallStartMs),
  ledger: (ledger: Ledger) => ledgerOfQuota(ledger, contract, quota, wallStartMs),
  clock: () => (namesWaits(contract) ? clockOfWaits(wallStartMs) : clock()),
})
