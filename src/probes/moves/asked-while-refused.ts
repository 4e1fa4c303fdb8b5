import type { Pet, Stage } from '../probe.js'
import { otherQuantity, somePets, updateBody } from './pets.js'
import { askSpellings, type SpellingName, spellingCost } from './spellings.js'

/** Each of another pet: one that a refill lets through says nothing of the others. */
const mostWrites = 4

/** Plain requests just before them take what a bucket has given back meanwhile. */
const drained = 8

/** PATCHes in the middle of the refusals, all at once: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (stage: Stage, pets: readonly Pet[]): Promise<void> => {
  for (const pet of pets) stage.willTouch(pet)
  const plain = Array.from({ length: drained }, () => stage.askOnce({ step: 'drain', operation: 'listInventory' }))
  const writes = pets.map(({ id, quantity }) =>
    stage.askOnce({
      step: 'write-refused',
      operation: 'updateInventory',
      petId: id,
      body: updateBody(otherQuantity(quantity)),
      intent: { petId: String(id), quantity: String(otherQuantity(quantity)) },
    }),
  )
  await Promise.all([...plain, ...writes])
}

export const askedWhileRefusedCost = mostWrites + drained + spellingCost

/** A wait that is cut off to whole seconds is over a second later at the most. */
const roundingMs = 1_000

/** How often the list is asked for once the key should be served again, where the wait that is named is too short. */
const mostReadings = 3

/**
 * Reads the list that shows what came of the refused writes, once the key is served again. A target that names too short a
 * wait refuses this reading too: it is waited for as told, and a second on top, where that can be sat through.
 */
export const readOnceServed = async (stage: Stage): Promise<void> => {
  for (let reading = 1; reading <= mostReadings; reading += 1) {
    // Not paced: the key has just been served again, and nothing but this is to come on it before the next window.
    const x = await stage.askOnce({ step: 'after', operation: 'listInventory' })
    const { retryAt = stage.now() } = stage.told(x)
    if (x.response?.status !== 429 || retryAt > stage.now() + 2 * stage.minuteMs) return
    if (reading < mostReadings) await stage.waitUntil(retryAt + roundingMs, 'the time that Retry-After asked for')
  }
}

/** The most requests that {@link readOnceServed} sends. */
export const readOnceServedCost = mostReadings

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
  // Whatever changes a pet that is written to here was this PATCH: the other spellings have a pet of their own.
  const written = stage.readOnly ? [] : somePets(stage, pets, mostWrites)
  if (written.length > 0) await writeWhileRefused(stage, written)
  await askSpellings(
    stage,
    pets.filter((pet) => !written.includes(pet)),
    spellings,
  )
}
