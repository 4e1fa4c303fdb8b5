import { notFound } from '@hapi/boom'
import { readJson } from '../../../src/kit/lossless-json.js'
import { updating } from '../../behaviour/departing.js'
import { faultsOf } from '../fault.js'
import { quantityOf } from './bodies.js'
import { unknownPet } from './pets.js'
import { carriesOutLater, takesRefused } from './refused-patch.js'

/** Departures from §4: what is refused changes something all the same, or is refused otherwise. */
export const refusalFaults = faultsOf('INV', [
  {
    id: 'invalid-patch-applied',
    breaks: ['INV-8'],
    sentence: 'A PATCH whose quantity is no integer gets 400 after the entry was set to 777.',
    depart: updating(({ petId = '', body }, update, { inventory, petIdOf }) => {
      try {
        return update()
      } catch (error) {
        const reading = readJson(body?.toString() ?? '')
        if (reading.ok && quantityOf(reading.value) !== undefined) inventory.setQuantity(petIdOf(petId), 777n)
        throw error
      }
    }),
  },
  {
    id: 'unknown-pet-written-elsewhere',
    breaks: ['INV-8'],
    sentence: 'A PATCH of a pet that does not exist gets 404 after the quantity of the first entry was set.',
    depart: unknownPet(({ body, request }, self) => {
      const quantity = self.quantityIn(body, request.headers['content-type'])
      const [first] = self.inventory.items()
      self.inventory.setQuantity(first.petId, quantity)
      throw notFound('no entry has this petId')
    }),
  },
  {
    id: 'refused-patch-applied',
    breaks: ['INV-8'],
    sentence: 'A PATCH over the limit gets 429 after it was carried out.',
    depart: takesRefused((_, patch) => patch()),
  },
  {
    id: 'refused-patch-applied-later',
    breaks: ['INV-8'],
    sentence: 'A PATCH over the limit gets 429, and is carried out once the time is over that Retry-After names.',
    depart: carriesOutLater,
  },
  {
    id: 'orders-unknown-without-key',
    // An operation without a key that does not answer 401 is one of AUTH-1's cases too.
    breaks: ['INV-9', 'AUTH-1'],
    sentence: 'GET /store/orders answers 404 to whoever sends no key.',
    depart: (before) => ({
      letsIn: (call) => before.letsIn(call) || (call.operation === 'listOrders' && call.credential.kind === 'none'),
      operations: {
        ...before.operations,
        listOrders(call) {
          if (!call.account) throw notFound('there is nothing here')
          return before.operations.listOrders(call)
        },
      },
    }),
  },
])
