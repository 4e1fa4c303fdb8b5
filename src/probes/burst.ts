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
 * What is left over of the last second of the wait, on each key another part: seconds that are cut off, or rounded to the
 * nearest, show only in some.
 */
const partsLeft = [0.35, 0.15, 0.6, 0.85]

/** Windows shorter than this have no whole seconds to tell apart. */
const secondsMatterMs = 3_000

/** Such a share of the window after the opener, and so much later that the key's part of a second is left over. */
const momentAfter = (stage: Stage, opener: Exchange, share: number): number => {
  const { minuteMs, keys, key } = stage
  const soonest = stage.now() + 0.1 * minuteMs
  const aimed = opener.sentAt + share * minuteMs
  if (minuteMs < secondsMatterMs) return Math.max(aimed, soonest)
  const place = keys.findIndex(({ name }) => name === key.name)
  const at = aimed + 1_000 * (1 - partsLeft[place % partsLeft.length])
  return at + 1_000 * Math.max(0, Math.ceil((soonest - at) / 1_000))
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
    const first = await askGently(stage, momentAfter(stage, opener, 0.2))
    if (stage.isMain) await askWhileRefused(stage, pets)
    // The earlier it is asked, the further a Reset that is too early lies from the truth.
    const early = resetBefore(stage, first)
    const last = await askGently(stage, early ?? momentAfter(stage, opener, 0.5))
    if (last.response?.status === 200)
      await stage.load({ id: `early-${stage.key.name}`, connections: used, amount: stage.key.quota.minute })
    await waitAsTold(stage, waitsContradict(ledger.rows) ? await askForShorter(stage, last) : last)
    if (stage.isMain) await stage.inventory('after')
  },
})
