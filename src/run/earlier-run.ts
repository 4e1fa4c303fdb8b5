import { windowLengthMs } from '../contract/plans.js'
import type { JournalRecord } from '../evidence/journal.js'
import { appendToJournal } from '../evidence/journal-file.js'
import { type UnfinishedRun, type UnrestoredPet, unfinishedIn } from '../evidence/unfinished.js'
import { systemClock } from '../kit/clock.js'
import { whyOf } from '../kit/usage-error.js'
import { counted } from '../kit/words.js'
import { createInventoryKeeper } from '../petstore/inventory-keeper.js'
import { petstoreSubject } from '../petstore/subject.js'
import { mainKeyOf } from '../probes/moves/loads.js'
import { thisProgram } from './machine.js'
import type { GivenKey } from './options/keys.js'
import type { Safety } from './options/target.js'
import { createBudget } from './plan/budget.js'
import { reachTarget } from './play-prepared.js'
import { createKeySession } from './playing/key-session.js'
import { createRunLog } from './playing/run-log.js'
import { createUsageBook } from './playing/usage-book.js'
import { keepEarlier } from './run-folder.js'

interface FinishingSettings {
  readonly folder: string
  readonly unfinished: UnfinishedRun
  readonly baseUrl: string
  readonly keys: readonly GivenKey[]
  readonly safety: Safety
  readonly signal: AbortSignal
  readonly say: (text: string) => void
}

/** Restores the pets that an earlier run left changed, and notes so in its journal. Returns those still changed. */
export const finishEarlierRun = async (settings: FinishingSettings): Promise<readonly UnrestoredPet[]> => {
  const { folder, unfinished, baseUrl, keys, safety, signal, say } = settings
  const { run, pets } = unfinished
  const key = mainKeyOf(keys)
  const open = new Map(pets.map((pet) => [pet.petId, pet]))
  // Only `restored` records go into the earlier run's journal: its clock and its ids differ from this run's.
  const write = (record: JournalRecord) => {
    if (record.type !== 'restored') return
    open.delete(record.petId)
    appendToJournal(folder, [{ type: 'restored', petId: record.petId, later: true }])
  }
  const log = createRunLog({ write, keep: () => {}, close: () => {} }, run, (event) => {
    if (event.kind === 'note') say(event.text)
  })
  const clock = systemClock
  const startedAt = clock.monotonicMs()
  const { openSender } = await reachTarget({ baseUrl, seed: run.seed }, keys, safety)
  const sender = openSender(log.exchange, startedAt)
  // One change for each pet, and a reading before and after.
  const requests = pets.length + 2
  const budget = createBudget([
    { key: key.name, probe: 'restore', requests },
    { key: 'any', probe: 'asked-again', requests },
  ])
  const section = { ...petstoreSubject([key]), windowMs: windowLengthMs('minute', run.timeScale) }
  const book = createUsageBook([section.quota], run.timeScale)
  const session = createKeySession({ key, section, head: run, book, sender, clock, startedAt, log, budget, signal })
  const keeper = createInventoryKeeper(log, false)
  for (const { petId, quantity } of pets)
    keeper.willTouch({ id: BigInt(petId), quantity: BigInt(quantity), status: 'unknown' })
  await keeper.restore(session, signal).finally(() => sender.close())
  return [...open.values()]
}

/** Restores what an earlier run left changed; if that fails, keeps the run and says how to finish it. */
export const settleEarlierRun = async (
  settings: Omit<FinishingSettings, 'unfinished'> & { readonly readOnly: boolean },
): Promise<void> => {
  const { folder, baseUrl, readOnly, say } = settings
  const unfinished = unfinishedIn(folder)
  if (!unfinished) return
  const { run } = unfinished
  let left: readonly UnrestoredPet[] = unfinished.pets
  let why = readOnly ? 'this run must write nothing' : `this run is for ${baseUrl}`
  if (run.baseUrl === baseUrl && !readOnly) {
    say(`an earlier run left ${counted(left.length, 'pet')} changed; they are put back first`)
    try {
      left = await finishEarlierRun({ ...settings, unfinished })
      why = 'the target did not accept that'
    } catch (error) {
      why = whyOf(error)
      left = unfinishedIn(folder)?.pets ?? []
    }
  }
  if (left.length === 0) return
  const aside = keepEarlier(folder)?.path ?? folder
  say(`an earlier run left ${counted(left.length, 'pet')} of ${run.baseUrl} changed and did not put them back: ${why}`)
  say(`finish it with: ${thisProgram()} restore ${aside} --target ${run.baseUrl}`)
}
