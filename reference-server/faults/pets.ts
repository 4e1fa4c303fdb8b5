import { badRequest } from '@hapi/boom'
import { exactDoubleLimit, type InventoryItem } from '../../src/contract/petstore/schemas.js'
import type { Call, Departure, PetstoreBehaviour } from '../behaviour/behaviour.js'
import { entryOf, listing, updating } from '../behaviour/departing.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import { createInventory } from '../inventory/inventory.js'
import { faultsOf } from './fault.js'

/** Small ids only, so that INV-7, about the neighbours above 2^53, is not broken too. */
export const isPlain = (petId: bigint) => petId < exactDoubleLimit

/** Another answer to a PATCH of a pet that does not exist. */
export const unknownPet = (instead: (call: Call, self: PetstoreBehaviour) => Answer): Departure =>
  updating((call, update, self) => (entryOf(call, self) ? update() : instead(call, self)))

/** Departures from §4: which pet a petId stands for, and one that there is not. */
export const petFaults = faultsOf('INV', [
  {
    id: 'unknown-pet-answers-200',
    breaks: ['INV-6'],
    sentence: 'A PATCH of a pet that does not exist gets 200, and creates nothing.',
    depart: unknownPet(({ petId = '', body, request }, self) =>
      jsonAnswer(200, {
        petId: self.petIdOf(petId),
        quantity: self.quantityIn(body, request.headers['content-type']),
        status: 'available',
      }),
    ),
  },
  {
    id: 'unknown-pet-answers-400',
    breaks: ['INV-6'],
    sentence: 'A PATCH of a pet that does not exist gets 400.',
    depart: unknownPet(() => {
      throw badRequest('no entry has this petId')
    }),
  },
  {
    id: 'unknown-pet-answers-500',
    breaks: ['INV-6', 'ERR-5'],
    sentence: 'A PATCH of a pet that does not exist gets 500.',
    depart: unknownPet(() => {
      throw new Error('the server stumbled')
    }),
  },
  {
    id: 'pet-id-listed-twice',
    // 2^53 + 1 lost its last digit, and became the neighbour below it.
    breaks: ['SCHEMA-1', 'INV-7'],
    sentence: 'The petIds were rounded to a double when they were stored: 2^53 is listed twice, and nothing above it.',
    depart: (before, surroundings) => {
      const doubled: InventoryItem = { petId: exactDoubleLimit, quantity: 7n, status: 'available' }
      const plain = before.inventory.items().filter(({ petId }) => isPlain(petId))
      const rows = (item: InventoryItem) => (item.petId === exactDoubleLimit ? [item, item] : [item])
      return {
        inventory: createInventory([...plain, doubled]),
        ...listing((items) => items.flatMap(rows))(before, surroundings),
      }
    },
  },
  {
    id: 'neighbours-confused',
    // The answer names the petId that was asked for, so that INV-3 holds.
    breaks: ['INV-7'],
    sentence: 'A PATCH of a petId above 2^53 changes the entry with the nearest IEEE double.',
    depart: ({ inventory }) => ({
      inventory: {
        ...inventory,
        setQuantity(petId, quantity) {
          const nearest = BigInt(Number(petId))
          if (isPlain(petId) || !inventory.find(nearest) || !inventory.find(petId)) {
            return inventory.setQuantity(petId, quantity)
          }
          const updated = inventory.setQuantity(nearest, quantity)
          return updated && { ...updated, petId }
        },
      },
    }),
  },
])
