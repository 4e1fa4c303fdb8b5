import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import {
  atScale,
  contractForQuota,
  countsAgainst,
  longestBlockMs,
  quotaKeys,
  windowOfQuota,
} from '../contract/partitions.js'
import { contractOf } from '../contract/petstore/petstore.js'
import { windowMs } from '../contract/plans.js'
import type { Evidence, QuotaView } from '../evidence/evidence.js'
import { onceFor } from '../kit/once-for.js'
import { exchangeOfQuota, ledgerOfQuota, namesWaits } from './answers.js'

/** So long after a run's start that nothing is judged by it: a view has one window. */
const noSecondWindowMs = 1e15

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
      quota,
      minuteMs: windowOfQuota(quota, timeScale),
      dayMs: noSecondWindowMs,
      namesWaits: namesWaits(contract),
      blockedForMs: longestBlockMs(contract, 'quota') / timeScale,
      whole: evidence,
    },
  }
}

const viewsOf = onceFor((evidence: Evidence): ReadonlyMap<string, Evidence> => {
  const { contract } = evidence.run
  if (!contract) throw new Error('the run has the bundled contract, which is judged as it is')
  return new Map(contract.quotas.map((quota) => [quota.id, quotaViewOf(evidence, contract, quota)]))
})

/**
 * The evidence of a run as one quota of its contract sees it: only what counts against the quota, by what it counts by,
 * with the status that the contract has it for: a 403 that it calls a refusal is a 429. Headers are as they came.
 */
export const quotaView = (evidence: Evidence, quotaId: string): Evidence => {
  const view = viewsOf(evidence).get(quotaId)
  if (!view) throw new Error(`the contract has no quota ${quotaId}`)
  return view
}

/** The evidence as it is judged: as each quota of the contract sees it, or as it is under the bundled contract. */
export const viewsOfRun = (evidence: Evidence): Evidence[] =>
  evidence.run.contract ? [...viewsOf(evidence).values()] : [evidence]

/** The Petstore's own view: all of its evidence, judged by the minute, with the day beside it. */
const minuteView = onceFor((evidence: Evidence): QuotaView => {
  const { run } = evidence
  const contract = contractOf(run)
  return {
    quota: contract.quotas[0],
    minuteMs: windowMs('minute', run.timeScale),
    dayMs: windowMs('day', run.timeScale),
    namesWaits: false,
    blockedForMs: longestBlockMs(contract, 'quota') / run.timeScale,
    whole: evidence,
  }
})

/** The quota that evidence is judged by, with its windows at the run's time scale. */
export const viewOf = (evidence: Evidence): QuotaView => evidence.view ?? minuteView(evidence)
