import type { KeyQuota, PlanName } from '../../contract/plans.js'
import type { Evidence } from '../evidence.js'
import { journalVersion, type ProbeEnd, type RunHead } from '../journal.js'
import type { Ledger } from '../ledger.js'
import { type ExchangePart, madeExchange } from './made-exchange.js'

const plans: Readonly<Record<PlanName, KeyQuota>> = {
  free: { limit: 60, longer: 1_000 },
  pro: { limit: 300, longer: 10_000 },
  business: { limit: 1_000, longer: 100_000 },
  enterprise: { limit: 400, longer: 20_000 },
}

/** A plan's key as a run has it. */
export const madeKey = (plan: PlanName, name: string = plan) => ({ name, plan, quota: plans[plan] })

/** The wall clock at the start of every made run. */
export const wallStartMs = Date.UTC(2026, 0, 15, 12)

const madeHead = (part: Partial<RunHead> = {}): RunHead => ({
  type: 'run',
  journalVersion,
  toolVersion: '0.1.0',
  id: 'r1',
  startedAt: new Date(wallStartMs).toISOString(),
  wallStartMs,
  scenario: 'made',
  probes: [],
  gates: {},
  only: [],
  skip: [],
  baseUrl: 'http://127.0.0.1:8080/v1',
  timeScale: 1,
  seed: 7,
  strict: false,
  readOnly: false,
  keys: [madeKey('free')],
  planned: { requests: [], durationMs: 1_000 },
  command: 'quotaspec run made --target http://127.0.0.1:8080/v1 --seed 7',
  environment: { node: 'v20.19.0', platform: 'linux x64', cpus: 2 },
  ...part,
})

export interface EvidencePart extends Partial<Omit<Evidence, 'run' | 'exchanges'>> {
  readonly run?: Partial<RunHead>
  readonly ledgers?: readonly Ledger[]
}

/**
 * Evidence for a test. Exchanges get the ids x1, x2, … and are sent 100 ms apart, unless stated otherwise; every probe that
 * they name was planned and completed.
 */
export const madeEvidence = (parts: readonly ExchangePart[], { run, ...rest }: EvidencePart = {}): Evidence => {
  const exchanges = parts.map((part, i) => madeExchange({ id: `x${i + 1}`, sentAt: i * 100, ...part }))
  const names = [
    ...new Set([...exchanges.map(({ probe }) => probe), ...(rest.ledgers ?? []).map(({ head }) => head.probe)]),
  ]
  const completed = names.map(
    (probe): ProbeEnd => ({ type: 'probe', probe, key: null, at: 0, end: 'completed', reason: '' }),
  )
  return {
    run: madeHead({ probes: names.map((probe) => ({ probe, settings: {} })), ...run }),
    exchanges: exchanges.toSorted((a, b) => a.sentAt - b.sentAt),
    ledgers: [],
    probes: completed,
    notes: [],
    events: [],
    unrestored: [],
    endedAt: parts.length * 100,
    interrupted: false,
    resumed: false,
    ...rest,
  }
}
