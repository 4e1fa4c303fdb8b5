import { interfaceText } from '../../contract/plain-text.js'
import { appendToJournal } from '../../evidence/journal.js'
import { createRedactor } from '../../evidence/redaction/redaction.js'
import { type UnfinishedRun, type UnrestoredPet, unfinishedIn } from '../../evidence/unfinished.js'
import { systemClock } from '../../kit/clock.js'
import { seededRandom } from '../../kit/random.js'
import { createCredentials } from '../../wire/http/credentials.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { createExchangeSender } from '../../wire/http/exchange-sender.js'
import { pinAddress } from '../../wire/http/pin-address.js'
import { restoreInventory } from '../inventory/restore.js'
import { thisProgram } from '../machine/invoked-as.js'
import type { GivenKey } from '../options/keys.js'
import type { Safety } from '../options/safety.js'
import { mainKeyOf } from '../plan/budget.js'
import { keepEarlier } from './keep-earlier.js'

export interface FinishingSettings {
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
