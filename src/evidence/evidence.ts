import type { Exchange } from './exchange.js'
import type { Note, ProbeEnd, RunHead, SavedRun } from './journal.js'
import type { Ledger } from './ledger.js'
import { notPutBack, type UnrestoredPet } from './unfinished.js'

/** Everything that a run knows of its target: what every check judges from, live or offline. */
export interface Evidence {
  readonly run: RunHead
  readonly exchanges: readonly Exchange[]
  readonly ledgers: readonly Ledger[]
  readonly probes: readonly ProbeEnd[]
  readonly notes: readonly Note[]
  readonly unrestored: readonly UnrestoredPet[]
  readonly endedAt: number
  readonly interrupted: boolean
}

/** What a saved run holds, as evidence. Throws where it does not say what the run was. */
export const evidenceOf = (saved: SavedRun): Evidence => {
  const run = saved.records.find((each) => each.type === 'run')
  if (!run) throw new Error('the journal does not begin with a run')
  const exchanges = saved.records.filter((each) => each.type === 'exchange')
  const end = saved.records.findLast((each) => each.type === 'end')
  return {
    run,
    exchanges: exchanges.toSorted((a, b) => a.sentAt - b.sentAt),
    // As they were sent: a saved run gives them by name.
    ledgers: saved.ledgers.toSorted((a, b) => (a.rows.sentUs[0] ?? 0) - (b.rows.sentUs[0] ?? 0)),
    probes: saved.records.filter((each) => each.type === 'probe'),
    notes: saved.records.filter((each) => each.type === 'note'),
    unrestored: notPutBack(saved.records),
    endedAt: end?.at ?? Math.max(0, ...exchanges.map((each) => each.endedAt)),
    interrupted: end?.interrupted ?? true,
  }
}

/** The exchanges of one probe, in order of sending; of one step of it, where that is named. */
export const exchangesOf = (evidence: Evidence, probe: string, step?: string): Exchange[] =>
  evidence.exchanges.filter((x) => x.probe === probe && (step === undefined || x.step === step))

/** The same without those that were asked again: what the target said to the question itself. */
export const answersOf = (evidence: Evidence, probe: string, step?: string): Exchange[] => {
  const all = exchangesOf(evidence, probe, step)
  const askedAgain = new Set(all.map((x) => x.asksAgain))
  return all.filter((x) => !askedAgain.has(x.id))
}
