import { whole } from '../../kit/described.js'
import { defineProbe } from '../../probes/probe.js'

/**
 * Walks at random over the inventory, drawn by fast-check from the run's seed, and shrunk if the target departs from
 * the model (`contract/petstore/inventory-model.ts`): PATCHes and GETs over up to three pets, then bodies and ids that
 * have to be refused. `requests` bounds all of it, with the shrinking. The checks judge by the exchanges alone.
 */
export const modelWalk = defineProbe({
  id: 'model-walk',
  summary:
    'Plays random sequences of reads and changes on two pets, then random requests that must be refused; if a sequence fails, finds the shortest part that fails.',
  settings: {
    requests: whole(30, 2_000, 40, 'The most requests in all, including those that shorten a failed sequence.'),
  },
  cost: (_key, { requests }) => ({ keyed: requests }),
  async play(context, { requests }) {
    // Planning this walk does not need the library that draws it.
    const { walkAtRandom } = await import('./random-walks.js')
    await walkAtRandom(context, requests)
  },
})
