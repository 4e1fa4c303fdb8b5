import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import type { Departure } from '../behaviour/behaviour.js'
import { entryOf, listing, updating } from '../behaviour/departing.js'
import { jsonAnswer } from '../http/answer.js'
import { faultsOf } from './fault.js'
import { isPlain } from './pets.js'

/** Carries out a PATCH, and changes its answer. */
const answersPatch = (
  as: (updated: InventoryItem, old: InventoryItem) => { status?: number; item: InventoryItem },
): Departure =>
  updating((call, update, self) => {
    const old = entryOf(call, self)
    const answer = update()
    const updated = entryOf(call, self)
    if (!old || !updated) return answer
    const { status = 200, item } = as(updated, old)
    return jsonAnswer(status, item)
  })

/** Departures from §4: what the list shows, what a PATCH changes, and what it answers. */
export const effectFaults = faultsOf('INV', [
  {
    id: 'list-wrapped',
    breaks: ['INV-1'],
    sentence: 'GET /inventory answers an object with the list inside.',
    depart: listing((items) => ({ items })),
  },
  {
    id: 'list-answers-203',
    breaks: ['INV-1'],
    sentence: 'GET /inventory answers 203.',
    depart: listing((items) => items, 203),
  },
  {
    id: 'list-stale',
    breaks: ['INV-2'],
    sentence: 'The list goes on showing the quantities of the start.',
    depart: (before, surroundings) => {
      const first = new Map(before.inventory.items().map((item) => [item.petId, item]))
      const shown = (item: InventoryItem) => (isPlain(item.petId) ? (first.get(item.petId) ?? item) : item)
      return listing((items) => items.map(shown))(before, surroundings)
    },
  },
  {
    id: 'patch-touches-another-entry',
    breaks: ['INV-2'],
    sentence: 'A PATCH adds one to the quantity of the next entry as well.',
    depart: ({ inventory }) => ({
      inventory: {
        ...inventory,
        setQuantity(petId, quantity) {
          const next = isPlain(petId) ? inventory.find(petId + 1n) : undefined
          const updated = inventory.setQuantity(petId, quantity)
          if (updated && next) inventory.setQuantity(next.petId, next.quantity + 1n)
          return updated
        },
      },
    }),
  },
  {
    id: 'patch-not-stored',
    breaks: ['INV-2'],
    sentence: 'A PATCH is answered as it should be, and nothing is stored.',
    depart: ({ inventory }) => ({
      inventory: {
        ...inventory,
        setQuantity(petId, quantity) {
          const item = inventory.find(petId)
          return item && isPlain(petId) ? { ...item, quantity } : inventory.setQuantity(petId, quantity)
        },
      },
    }),
  },
  {
    id: 'emptied-pet-unlisted',
    breaks: ['INV-2'],
    sentence: 'A pet whose quantity a PATCH sets to 0 leaves the list.',
    depart: (before, surroundings) => {
      const emptied = new Set<bigint>()
      return {
        ...listing((items) => items.filter(({ petId }) => !emptied.has(petId)))(before, surroundings),
        inventory: {
          ...before.inventory,
          setQuantity(petId, quantity) {
            if (quantity === 0n && isPlain(petId)) emptied.add(petId)
            else emptied.delete(petId)
            return before.inventory.setQuantity(petId, quantity)
          },
        },
      }
    },
  },
  {
    id: 'patch-answers-old-quantity',
    breaks: ['INV-3'],
    sentence: 'A PATCH answers the quantity that was there before.',
    depart: answersPatch((_, old) => ({ item: old })),
  },
  {
    id: 'patch-answers-201',
    breaks: ['INV-3'],
    sentence: 'A PATCH answers 201.',
    depart: answersPatch((item) => ({ status: 201, item })),
  },
  {
    id: 'patch-answers-another-pet',
    breaks: ['INV-3'],
    sentence: 'A PATCH answers the next petId.',
    depart: answersPatch((item) => ({ item: isPlain(item.petId) ? { ...item, petId: item.petId + 1n } : item })),
  },
])
