import { exactDoubleLimit } from '../contract/schemas.js'
import { noSettings } from './no-settings.js'
import { otherQuantity, updateBody } from './pets.js'
import { defineProbe, type Pet, ProbeSkipped } from './probe.js'

const sameDouble = (a: bigint, b: bigint): boolean => a !== b && Number(a) === Number(b)

/** Two entries whose ids an IEEE double can't tell apart; else one such id, and a neighbour that no entry has. */
interface Pair {
  readonly pet: Pet
  readonly neighbour: bigint
  readonly taken: boolean
}

const pairs = (pets: readonly Pet[]): Pair[] => {
  const large = pets.filter(({ id }) => id > exactDoubleLimit || id < -exactDoubleLimit)
  const ids = new Set(pets.map(({ id }) => id))
  return large.flatMap((pet): Pair[] => {
    const twin = large.find((other) => sameDouble(other.id, pet.id))
    if (twin) return [{ pet, neighbour: twin.id, taken: true }]
    const free = [pet.id + 1n, pet.id - 1n].find((id) => !ids.has(id) && sameDouble(id, pet.id))
    return free === undefined ? [] : [{ pet, neighbour: free, taken: false }]
  })
}

const showsTwice = (pets: readonly Pet[]): boolean => new Set(pets.map(({ id }) => id)).size < pets.length

/** Patches an id above 2^53 and reads it and its neighbour; patches a neighbour that is not there. */
export const neighbourIds = defineProbe({
  id: 'neighbour-ids',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 11, strangers: 0, minutes: 0 }),
  async play(stage) {
    const pets = await stage.inventory('look')
    // A list that shows one id twice has lost its digits already: whose entry a PATCH would change can't be known.
    if (showsTwice(pets)) return
    const found = pairs(pets)
    if (found.length === 0) throw new ProbeSkipped('no-large-ids')
    for (const { pet, neighbour, taken } of found.slice(0, 2)) {
      const quantity = otherQuantity(pet.quantity)
      await stage.inventory('before')
      stage.willTouch(pet)
      const addressed = taken ? pet.id : neighbour
      await stage.ask({
        step: taken ? 'patch' : 'patch-absent',
        operation: 'updateInventory',
        petId: addressed,
        body: updateBody(quantity),
        intent: { petId: String(addressed), neighbour: String(taken ? neighbour : pet.id), quantity: String(quantity) },
      })
      await stage.inventory('after')
      await stage.restore()
    }
    await stage.inventory('restored')
  },
})
