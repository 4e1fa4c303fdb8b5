import { type Evidence, evidenceOf } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Journal, JournalRecord, SavedRun } from '../../evidence/journal.js'
import type { Ledger } from '../../evidence/ledger.js'
import type { LoadRowRecord } from '../../evidence/load-rows.js'
import { type TargetClock, targetClock } from '../../readings/target-clock.js'
import { KeptAnswers } from './kept-answers.js'

/** What a run tells whoever watches it. */
export type Progress =
  | { readonly kind: 'note'; readonly at: number; readonly text: string }
  | {
      readonly kind: 'probe'
      readonly at: number
      readonly probe: string
      readonly key: string
      /** Of a probe that is played on several keys together: all of them. */
      readonly keys?: readonly string[]
      readonly state: string
    }
  /**
   * A load that a probe puts on a key, where it is played on several together or the load takes long: `planned` of one
   * that begins and takes long by its schedule; `sent` of one that ended.
   */
  | {
      readonly kind: 'load'
      readonly at: number
      readonly probe: string
      readonly key: string
      readonly planned?: { readonly amount: number; readonly lastsMs: number }
      readonly sent?: number
    }
  | {
      readonly kind: 'waiting'
      readonly at: number
      readonly key: string
      readonly until: number
      readonly why: string
    }
  | {
      readonly kind: 'agent'
      readonly at: number
      readonly agent: string
      readonly sent: number
      /** The loads that it is at. */
      readonly loads: readonly string[]
      readonly clockErrorMs: number | null
      /** Why it takes no part any more. */
      readonly lost: string | null
    }
  | { readonly kind: 'sent'; readonly at: number; readonly count: number }

/** The record of a run: each entry is on disk before the call returns, and at hand for what comes next. */
export interface RunLog {
  readonly records: readonly JournalRecord[]
  readonly ledgers: readonly Ledger[]
  write(record: JournalRecord): void
  /** Records an exchange, whole as long as the run has room for it. */
  exchange(x: Exchange): void
  ledger(ledger: Ledger): void
  /** A row of a load, on disk only: when the load is over, its ledger takes the place of the rows. */
  row(record: LoadRowRecord): void
  note(at: number, text: string): void
  progress(event: Progress): void
  /** All that is on record so far, as what checks read. */
  evidence(): Evidence
  /** The target's clock, from what it has said so far. */
  clock(): TargetClock
  /** What was left out of the record for want of room, in sentences. */
  leftOut(): string[]
}

/**
 * Opens the record of a run in `journal`. After a first failure to write, which goes to `onFailure`, entries are kept
 * at hand only. What an `earlier` part of the run recorded is at hand, and on disk already.
 */
export const createRunLog = (
  journal: Journal,
  wallStartMs: number,
  watch: (event: Progress) => void,
  onFailure: (error: unknown) => void = (error) => {
    throw error
  },
  earlier: Pick<SavedRun, 'records' | 'ledgers'> = { records: [], ledgers: [] },
): RunLog => {
  const answers = new KeptAnswers()
  const records = earlier.records.map((each) =>
    each.type === 'exchange' ? { ...answers.keep(each), type: each.type } : each,
  )
  const ledgers: Ledger[] = [...earlier.ledgers]
  const exchanges: Exchange[] = records.filter((each) => each.type === 'exchange')
  let isBroken = false
  const save = (step: () => void) => {
    if (isBroken) return
    try {
      step()
    } catch (error) {
      isBroken = true
      onFailure(error)
    }
  }
  const write = (record: JournalRecord) => {
    records.push(record)
    save(() => journal.write(record))
  }
  return {
    records,
    ledgers,
    write,
    exchange(asItCame) {
      const x = answers.keep(asItCame)
      exchanges.push(x)
      write({ type: 'exchange', ...x })
      watch({ kind: 'sent', at: x.endedAt, count: 1 })
    },
    ledger(ledger) {
      ledgers.push(ledger)
      save(() => journal.keep(ledger))
    },
    row: (record) => save(() => journal.write(record)),
    note(at, text) {
      write({ type: 'note', at, text })
      watch({ kind: 'note', at, text })
    },
    progress: watch,
    evidence: () => evidenceOf({ records, ledgers }),
    clock: () => targetClock(exchanges, wallStartMs),
    leftOut: () => answers.told(),
  }
}
