import { secondMs } from '../../contract/whole-seconds.js'
import { otherQuantity, somePets, updateOf } from '../../petstore/probes/moves/pets.js'
import type { Pet, ProbeContext } from '../probe.js'
import { askSpellings, spellingCost } from './spellings.js'

/** PATCHes, each of another pet: if a refill lets one through, the others are still refused. */
const mostWrites = 4

/** Plain requests just before them, which take what a bucket has given back meanwhile: 8 s of 60 a minute. */
const mostDrained = 8

/** PATCHes in the middle of the refusals, all at once: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (
  context: ProbeContext<'drain' | 'write-refused'>,
  pets: readonly Pet[],
): Promise<void> => {
  for (const pet of pets) context.willTouch(pet)
  const plain = Array.from({ length: mostDrained }, () => context.askOnce({ step: 'drain', ...context.ordinary }))
  const writes = pets.map(({ id, quantity }) =>
    context.askOnce({ step: 'write-refused', ...updateOf(id, otherQuantity(quantity)) }),
  )
  await Promise.all([...plain, ...writes])
}

/** Pets that a bucket may let it change, for what it gives back meanwhile: one by each PATCH, and one by a spelling. */
export const changedWhileRefused = mostWrites + 1

export const askedWhileRefusedCost = mostWrites + mostDrained + spellingCost

/** How often the list is asked for once the key should be served again, where the wait that is named is too short. */
const mostReadings = 3

/**
 * Reads the list once the key is served again: it shows what came of the refused writes. A target that names too short
 * a wait refuses this reading too; then it is repeated after the wait that is named, and a second more, for it may be
 * cut off.
 */
export const readOnceServed = async (context: ProbeContext<'after'>): Promise<void> => {
  for (let reading = 1; reading <= mostReadings; reading += 1) {
    // Not paced: the key has just been served again, and nothing but this is to come on it before the next window.
    const x = await context.askOnce({ step: 'after', ...context.ordinary })
    const { retryAt = context.now() } = context.hintsOf(x)
    if (x.response?.status !== 429 || retryAt > context.now() + context.longestWaitMs) return
    if (reading < mostReadings) await context.waitUntil(retryAt + secondMs, 'the time that Retry-After asked for')
  }
}

/** The most requests that {@link readOnceServed} sends. */
export const readOnceServedCost = mostReadings

/**
 * Asks what can be asked only while the key is refused: PATCHes, and other spellings. On one key of a run only, for two
 * that write would be in each other's way.
 *
 * @param spellings those to ask with; all where none is named.
 */
export const askWhileRefused = async (
  context: ProbeContext<'drain' | 'write-refused' | 'spelling'>,
  pets: readonly Pet[],
  spellings?: readonly string[],
): Promise<void> => {
  // The other spellings get another pet, so that a change of one of these was made by its PATCH.
  const written = context.readOnly ? [] : somePets(context, pets, mostWrites)
  if (written.length > 0) await writeWhileRefused(context, written)
  await askSpellings(
    context,
    pets.filter((pet) => !written.includes(pet)),
    spellings,
  )
}
