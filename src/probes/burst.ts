import { z } from 'zod'
import type { Exchange } from '../evidence/exchange.js'
import { waitsContradict } from './contradictory-waits.js'
import { openFreshWindow } from './fresh-window.js'
import { askForShorter, askGently, mostAskedForShorter, resetBefore, waitAsTold } from './gentle.js'
import { otherQuantity, somePet, updateBody } from './pets.js'
import { defineProbe, type Pet, type Stage } from './probe.js'
import { askSpellings, spellingCost } from './spellings.js'

/** A PATCH in the middle of the refusals: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (stage: Stage, pet: Pet): Promise<Exchange> => {
  stage.willTouch(pet)
  const quantity = otherQuantity(pet.quantity)
  return stage.askOnce({
    step: 'write-refused',
    operation: 'updateInventory',
    petId: pet.id,
    body: updateBody(quantity),
    intent: { petId: String(pet.id), quantity: String(quantity) },
  })
}

/** What can only be asked while the key is refused; on one key only, for two that write would confuse each other. */
const askWhileRefused = async (stage: Stage, pets: readonly Pet[]): Promise<void> => {
  if (!stage.readOnly && pets.length > 0) await writeWhileRefused(stage, somePet(stage, pets))
  await askSpellings(stage, pets)
}

/**
 * On a fresh window more than the plan's limit at once, over many connections; single requests in the silence after
 * it; then the wait that the last refusal names, or the shorter one of a few more where the burst's contradict each
 * other, and one request. The opener is part of the amount, so `overshoot` times the limit is sent in the burst.
 */
export const burst = defineProbe({
  id: 'burst',
  played: 'each-key',
  settings: z.strictObject({
    overshoot: z.number().min(1.05).max(10).default(1.5),
    connections: z.int().min(1).max(500).default(50),
  }),
  cost: ({ quota }, { overshoot }) => ({
    keyed: Math.ceil(quota.minute * (overshoot + 1)) + 10 + mostAskedForShorter + spellingCost,
    strangers: 0,
    minutes: 3,
  }),
  async play(stage, { overshoot, connections }) {
    const pets = stage.isMain ? await stage.inventory('before') : []
    const amount = Math.ceil(stage.key.quota.minute * overshoot) - 1
    const used = Math.min(connections, amount)
    const opener = await openFreshWindow(stage, amount / used)
    const { ledger, refusals } = await stage.load({ id: `burst-${stage.key.name}`, connections: used, amount })
    if (refusals === 0) return
    const { minuteMs } = stage
    const moment = (share: number) => Math.max(opener.sentAt + share * minuteMs, stage.now() + 0.1 * minuteMs)
    const first = await askGently(stage, moment(0.2))
    if (stage.isMain) await askWhileRefused(stage, pets)
    // The earlier it is asked, the further a Reset that is too early lies from the truth.
    const early = resetBefore(stage, first)
    const last = await askGently(stage, early ?? moment(0.5))
    if (last.response?.status === 200)
      await stage.load({ id: `early-${stage.key.name}`, connections: used, amount: stage.key.quota.minute })
    await waitAsTold(stage, waitsContradict(ledger.rows) ? await askForShorter(stage, last) : last)
    if (stage.isMain) await stage.inventory('after')
  },
})
