import type { Pet, ProbeContext } from '../probe.js'
import { otherQuantity, somePets, updateBody } from './pets.js'
import { askSpellings, type SpellingName, spellingCost } from './spellings.js'

/** Each of another pet: one that a refill lets through says nothing of the others. */
const mostWrites = 4

/** Plain requests just before them take what a bucket has given back meanwhile. */
const drained = 8

/** PATCHes in the middle of the refusals, all at once: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (context: ProbeContext, pets: readonly Pet[]): Promise<void> => {
  for (const pet of pets) context.willTouch(pet)
  const plain = Array.from({ length: drained }, () => context.askOnce({ step: 'drain', operation: 'listInventory' }))
  const writes = pets.map(({ id, quantity }) =>
    context.askOnce({
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
export const readOnceServed = async (context: ProbeContext): Promise<void> => {
  for (let reading = 1; reading <= mostReadings; reading += 1) {
    // Not paced: the key has just been served again, and nothing but this is to come on it before the next window.
    const x = await context.askOnce({ step: 'after', operation: 'listInventory' })
    const { retryAt = context.now() } = context.hintsOf(x)
    if (x.response?.status !== 429 || retryAt > context.now() + 2 * context.minuteMs) return
    if (reading < mostReadings) await context.waitUntil(retryAt + roundingMs, 'the time that Retry-After asked for')
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
  context: ProbeContext,
  pets: readonly Pet[],
  spellings?: readonly SpellingName[],
): Promise<void> => {
  // Whatever changes a pet that is written to here was this PATCH: the other spellings have a pet of their own.
  const written = context.readOnly ? [] : somePets(context, pets, mostWrites)
  if (written.length > 0) await writeWhileRefused(context, written)
  await askSpellings(
    context,
    pets.filter((pet) => !written.includes(pet)),
    spellings,
  )
}
