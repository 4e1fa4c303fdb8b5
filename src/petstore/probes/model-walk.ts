import { z } from 'zod'
import { whole } from '../../kit/described.js'
import { defineProbe } from '../../probes/probe.js'

/**
 * Walks at random over the inventory, drawn by fast-check from the run's seed and shrunk where the target departs from
 * the model (`contract/inventory-model.ts`): sequences of PATCH and GET over two pets, then bodies and ids that have to
 * be refused. `requests` bounds all of it, shrinking included. The checks judge by the exchanges alone.
 */
export const modelWalk = defineProbe({
  id: 'model-walk',
  summary:
    'Plays random sequences of reads and changes on two pets, then random requests that must be refused; if a sequence fails, finds the shortest part that fails.',
  settings: z.strictObject({
    requests: whole(30, 2_000, 40, 'The most requests in all, including those that shorten a failed sequence.'),
  }),
  cost: (_key, { requests }) => ({ keyed: requests }),
  async play(context, { requests }) {
    // Whoever only plans this walk does without the library that draws it.
    const { walkAtRandom } = await import('./random-walks.js')
    await walkAtRandom(context, requests)
  },
})
