import { otherQuantity, somePet, updateBody } from './pets.js'
import type { Pet, Stage } from './probe.js'
import { askSpellings, type SpellingName, spellingCost } from './spellings.js'

/** So many PATCHes: one that comes when the quota is back is admitted, and tells nothing of refused ones. */
const writes = 2

/** PATCHes in the middle of the refusals: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (stage: Stage, pet: Pet): Promise<void> => {
  stage.willTouch(pet)
  const quantity = otherQuantity(pet.quantity)
  for (let sent = 0; sent < writes; sent += 1) {
    await stage.askOnce({
      step: 'write-refused',
      operation: 'updateInventory',
      petId: pet.id,
      body: updateBody(quantity),
      intent: { petId: String(pet.id), quantity: String(quantity) },
    })
  }
}

export const askedWhileRefusedCost = writes + spellingCost

/**
 * Asks what can be asked only while the key is refused; on one key of a run only, for two that write would confuse each
 * other.
 *
 * @param spellings those to ask with; all where none is named.
 */
export const askWhileRefused = async (
  stage: Stage,
  pets: readonly Pet[],
  spellings?: readonly SpellingName[],
): Promise<void> => {
  // Not the pets of the other spellings: whatever changes this one was this PATCH.
  const [pet] = stage.readOnly || pets.length === 0 ? [] : [somePet(stage, pets)]
  if (pet) await writeWhileRefused(stage, pet)
  await askSpellings(stage, pet ? pets.filter(({ id }) => id !== pet.id) : pets, spellings)
}
