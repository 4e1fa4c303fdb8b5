import { windowMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { JournalRecord } from '../../evidence/journal.js'
import type { UnfinishedRun, UnrestoredPet } from '../../evidence/unfinished.js'
import type { Clock } from '../../kit/clock.js'
import type { KeyFacts } from '../../probes/probe.js'
import type { ExchangeSender } from '../../wire/http/exchange-sender.js'
import { Budget } from '../plan/budget.js'
import { createKeySession } from '../playing/key-session.js'
import { createRunLog, type Progress } from '../playing/run-log.js'
import { createInventoryKeeper } from './inventory-keeper.js'

export interface Restoring {
  readonly unfinished: UnfinishedRun
  /** Opens what sends its requests; each exchange goes to `record` first. */
  readonly openSender: (record: (x: Exchange) => void) => ExchangeSender
  /** The key to read and write with. */
  readonly key: KeyFacts
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly watch: (event: Progress) => void
  /** Called for each pet as soon as it is seen to be as it was before the run. */
  readonly onRestored: (petId: string) => void
}

/** Requests that putting so many pets back takes: a change of each, and a reading before and after. */
const requestsFor = (pets: number) => pets + 2

/**
 * Puts back what a run touched and left: reads the inventory, changes the pets that differ, reads again. Returns those
 * that are still not as they were. Throws where the inventory can't be read, or the target asks for too long a wait.
 */
export const restoreInventory = async (restoring: Restoring): Promise<readonly UnrestoredPet[]> => {
  const { unfinished, openSender, key, clock, signal, watch, onRestored } = restoring
  const { run, pets } = unfinished
  const open = new Map(pets.map((pet) => [pet.petId, pet]))
  const write = (record: JournalRecord) => {
    if (record.type !== 'restored') return
    open.delete(record.petId)
    onRestored(record.petId)
  }
  // Only what was put back is written to the earlier run's journal: its clock and its ids are other ones.
  const log = createRunLog({ write, keep: () => {}, close: () => {} }, run.wallStartMs, watch)
  const sender = openSender(log.exchange)
  const requests = requestsFor(pets.length)
  const session = createKeySession({
    key,
    minuteMs: windowMs('minute', run.timeScale),
    sender,
    clock,
    startedAt: clock.monotonicMs(),
    log,
    budget: new Budget([
      { key: key.name, probe: 'restore', requests },
      { key: 'any', probe: 'asked-again', requests },
    ]),
    signal,
  })
  const keeper = createInventoryKeeper(log, false)
  for (const { petId, quantity } of pets) {
    keeper.willTouch({ id: BigInt(petId), quantity: BigInt(quantity), status: 'unknown' })
  }
  await keeper.restore(session, signal).finally(() => sender.close())
  return [...open.values()]
}
