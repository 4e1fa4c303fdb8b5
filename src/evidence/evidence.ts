import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import type { ProbeId, StepOf } from '../contract/probe-catalogue.js'
import type { Exchange } from './exchange.js'
import type { FirstLook, JournalRecord, ProbeEnd, RunEndCause, RunEvent, RunHead, SavedRun } from './journal.js'
import type { Ledger } from './ledger.js'
import { notPutBack, type UnrestoredPet } from './unfinished.js'

/** One quota of a contract, through which the evidence of a run is viewed: its keys are what the quota counts by. */
export interface QuotaView {
  /** The contract without the fields of its other quotas. */
  readonly contract: ApiContract
  readonly quota: QuotaSpec
  /** The quotas that may refuse the same requests without saying so; none if each refusal shows its own window. */
  readonly beside: readonly QuotaSpec[]
  readonly windowMs: number
  /** Longer than any run: no second window is judged. */
  readonly dayMs: number
  /** Whether answers name moments relative to their receipt, so that the target's clock does not matter. */
  readonly namesWaits: boolean
  /** Whether a Reset in another unit is reported by that unit's name; the Petstore's two have a code each. */
  readonly knowsUnits: boolean
  /** How long the first refusal blocks a key, in milliseconds; 0 if refusals block nobody. */
  readonly blockedForMs: number
  /** The shortest time for which such a block lasts. */
  readonly blockedAtLeastMs: number
  /** Whether an exchange requests what the loads of this quota request. */
  readonly isOrdinary: (x: Exchange) => boolean
  /** The run's own evidence: all quotas of its contract, with the original answers. */
  readonly whole: Evidence
}

/** Everything that a run knows about its target: what every check judges by, live or offline. */
export interface Evidence {
  readonly run: RunHead
  readonly exchanges: readonly Exchange[]
  readonly ledgers: readonly Ledger[]
  readonly probes: readonly ProbeEnd[]
  readonly notes: readonly Extract<JournalRecord, { type: 'note' }>[]
  readonly events: readonly RunEvent[]
  /** What was seen before anything else was played; absent if the run was killed before that, or is old. */
  readonly firstLook?: FirstLook
  readonly unrestored: readonly UnrestoredPet[]
  readonly endedAt: number
  readonly interrupted: boolean
  readonly endedBy?: RunEndCause
  /** Whether the run was stopped and resumed: then a load may have several ledgers. */
  readonly resumed: boolean
  readonly view?: QuotaView
}

/** Whether nothing that checks read was recorded between two moments of one run: of its end and notes they read nothing. */
export const judgesAlike = (earlier: Evidence, later: Evidence): boolean =>
  earlier.firstLook === later.firstLook &&
  (['exchanges', 'ledgers', 'probes', 'events'] as const).every((each) => earlier[each].length === later[each].length)

/** How each probe ended. A probe that was interrupted and resumed did not end then. */
const probeEnds = (records: readonly JournalRecord[], lastPart: readonly JournalRecord[]): ProbeEnd[] => {
  const earlier = records.slice(0, records.length - lastPart.length)
  const ended = earlier.filter((each) => each.type === 'probe').filter(({ end }) => end !== 'interrupted')
  return [...ended, ...lastPart.filter((each) => each.type === 'probe')]
}

/** The recorded evidence of a run. Throws if the records do not describe the run. */
export const evidenceOf = (saved: Pick<SavedRun, 'records' | 'ledgers'>): Evidence => {
  const run = saved.records.find((each) => each.type === 'run')
  if (!run) throw new Error('the journal does not begin with a run')
  const exchanges = saved.records.filter((each) => each.type === 'exchange')
  const lastPart = saved.records.slice(saved.records.findLastIndex((each) => each.type === 'resumed') + 1)
  const end = lastPart.findLast((each) => each.type === 'end')
  return {
    run,
    exchanges: exchanges.toSorted((a, b) => a.sentAt - b.sentAt),
    // In order of sending; a saved run lists them by name.
    ledgers: saved.ledgers.toSorted((a, b) => (a.rows.sentUs[0] ?? 0) - (b.rows.sentUs[0] ?? 0)),
    probes: probeEnds(saved.records, lastPart),
    notes: saved.records.filter((each) => each.type === 'note'),
    events: saved.records.filter((each) => each.type === 'event'),
    firstLook: saved.records.findLast((each) => each.type === 'first-look'),
    unrestored: notPutBack(saved.records),
    endedAt: end?.at ?? Math.max(0, ...exchanges.map((each) => each.endedAt)),
    interrupted: end?.interrupted ?? true,
    endedBy: end?.cause,
    resumed: lastPart.length < saved.records.length,
  }
}

/** The exchanges of one probe, or of one of its steps, in order of sending. */
export const exchangesOf = <P extends ProbeId>(evidence: Evidence, probe: P, step?: StepOf<P>): Exchange[] =>
  evidence.exchanges.filter((x) => x.probe === probe && (step === undefined || x.step === step))

/** The same without those that were repeated after a 429 or a broken connection: the answers that count. */
export const answersOf = <P extends ProbeId>(evidence: Evidence, probe: P, step?: StepOf<P>): Exchange[] => {
  const all = exchangesOf(evidence, probe, step)
  const askedAgain = new Set(all.map((x) => x.asksAgain))
  return all.filter((x) => !askedAgain.has(x.id))
}
