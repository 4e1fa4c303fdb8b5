import type { Pet, ProbeContext } from '../probe.js'
import { somePet, somePets, updateOf } from './pets.js'

/** How many of the places before the last ones are taken at once: no window should end meanwhile. */
const takenAtOnce = 8

/** The most that {@link askForLastPlaces} takes: the limit, and a request beyond it. */
export const lastPlacesCost = (limit: number): number => limit + 1

/**
 * Spends what is left of a window, and asks for its last places with the other operations in turn: each is served while
 * a place is left. Of 44 left one goes to a reading and 38 in eights; then go a reading, orders, a PATCH that changes
 * nothing, a pet, another such PATCH, and a reading that is refused if all of these were served.
 * Resolves to whether that was refused.
 */
export const askForLastPlaces = async (
  context: ProbeContext<'last-places'>,
  pets: readonly Pet[],
): Promise<boolean> => {
  const { key, ordinary, readOnly } = context
  const ask = (question: object = ordinary) => context.askOnce({ step: 'last-places', ...question })
  const { limit, remaining = 0 } = context.hintsOf(await ask())
  if (limit !== key.quota.limit) return false
  const [pet = somePet(context, pets, 'kept'), another = pet] = somePets(context, pets, 'kept', 2)
  const unchanging = ({ id, quantity }: Pet) => (readOnly ? [] : [updateOf(id, quantity)])
  const others = [
    { operation: 'listOrders' },
    ...unchanging(pet),
    { operation: 'getPet', petId: pet.id },
    ...unchanging(another),
  ]
  if (!readOnly) for (const each of [pet, another]) context.willTouch(each)
  for (let left = Math.min(remaining, limit) - others.length - 1; left > 0; left -= takenAtOnce)
    await Promise.all(Array.from({ length: Math.min(left, takenAtOnce) }, () => ask()))
  for (const question of [ordinary, ...others]) await ask(question)
  return (await ask()).response?.status === 429
}
