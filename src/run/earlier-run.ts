import { interfaceText } from '../contract/petstore/schemas.js'
import { windowMs } from '../contract/plans.js'
import type { Exchange } from '../evidence/exchange.js'
import { appendToJournal, type JournalRecord } from '../evidence/journal.js'
import { createRedactor } from '../evidence/redaction.js'
import { type UnfinishedRun, type UnrestoredPet, unfinishedIn } from '../evidence/unfinished.js'
import { type Clock, systemClock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import type { KeyFacts } from '../probes/probe.js'
import { createCredentials } from '../wire/http/credentials.js'
import { defaultExchangeLimits } from '../wire/http/exchange-limits.js'
import { createExchangeSender, type ExchangeSender } from '../wire/http/exchange-sender.js'
import { pinAddress } from '../wire/http/pin-address.js'
import { thisProgram } from './machine.js'
import type { GivenKey } from './options/keys.js'
import type { Safety } from './options/target.js'
import { Budget, mainKeyOf } from './plan/budget.js'
import { createInventoryKeeper } from './playing/inventory-keeper.js'
import { createKeySession } from './playing/key-session.js'
import { createRunLog, type Progress } from './playing/run-log.js'
import { keepEarlier } from './saved-run.js'

interface Restoring {
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
const restoreInventory = async (restoring: Restoring): Promise<readonly UnrestoredPet[]> => {
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

interface FinishingSettings {
  readonly folder: string
  readonly unfinished: UnfinishedRun
  readonly baseUrl: string
  readonly keys: readonly GivenKey[]
  readonly safety: Safety
  readonly signal: AbortSignal
  readonly say: (text: string) => void
}

/** Puts back what the run in a folder left changed, and notes it there. Returns what could not be put back. */
export const finishEarlierRun = async (settings: FinishingSettings): Promise<readonly UnrestoredPet[]> => {
  const { folder, unfinished, baseUrl, keys, safety, signal, say } = settings
  const redactor = createRedactor(interfaceText)
  const secrets = new Map(keys.map(({ name, secret }) => [name, secret]))
  const { connectMs: withinMs = defaultExchangeLimits.connectMs } = safety.limits
  const pinned = await pinAddress(baseUrl, { withinMs })
  return restoreInventory({
    unfinished,
    openSender: (record) =>
      createExchangeSender({
        baseUrl,
        credentials: createCredentials(secrets, redactor, seededRandom(unfinished.run.seed)),
        redactor,
        clock: systemClock,
        record,
        startedAt: systemClock.monotonicMs(),
        limits: safety.limits,
        ...safety.tls,
        pinned,
      }),
    key: mainKeyOf(keys),
    clock: systemClock,
    signal,
    watch: (event) => {
      if (event.kind === 'note') say(event.text)
    },
    onRestored: (petId) => appendToJournal(folder, [{ type: 'restored', petId, later: true }]),
  })
}

const pets = (count: number): string => (count === 1 ? '1 pet' : `${count} pets`)

/**
 * Sees to what an earlier run left changed, before its journal makes room for the next one: against the same target it is
 * put back now; otherwise, and where that fails, the run is kept aside, and it is said how to finish.
 */
export const settleEarlierRun = async (
  settings: Omit<FinishingSettings, 'unfinished'> & { readonly readOnly: boolean },
): Promise<void> => {
  const { folder, baseUrl, readOnly, say } = settings
  const unfinished = unfinishedIn(folder)
  if (!unfinished) return
  const { run } = unfinished
  let left: readonly UnrestoredPet[] = unfinished.pets
  let why = readOnly ? 'this run is to write nothing' : `this run is for ${baseUrl}`
  if (run.baseUrl === baseUrl && !readOnly) {
    say(`an earlier run left ${pets(left.length)} changed; they are put back first`)
    try {
      left = await finishEarlierRun({ ...settings, unfinished })
      why = 'the target would not take it'
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
      left = unfinishedIn(folder)?.pets ?? []
    }
  }
  if (left.length === 0) return
  const aside = keepEarlier(folder)?.path ?? folder
  say(`an earlier run left ${pets(left.length)} of ${run.baseUrl} changed, and they are not put back: ${why}`)
  say(`finish it with: ${thisProgram()} restore ${aside} --target ${run.baseUrl}`)
}
