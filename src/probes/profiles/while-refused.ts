import { z } from 'zod'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  readOnceServed,
  readOnceServedCost,
} from '../moves/asked-while-refused.js'
import { waitAsTold } from '../moves/gentle.js'
import { partsCost } from '../moves/parts-of-a-second.js'
import { askForEarliest, mostAskedForShorter } from '../moves/shorter-wait.js'
import { smallestOf } from '../moves/smallest-key.js'
import { spendingConnections } from '../moves/spending.js'
import { defineProbe, type KeyFacts } from '../probe.js'

/** More than the limit by a quarter, for a bucket that refills on a slow target, and by what is under way then. */
const amountOf = ({ quota }: KeyFacts): number => quota.minute + Math.ceil(quota.minute / 4) + spendingConnections

/** Of a short day: what is asked while it is refused, refusals in four parts of a second and one more, and the wait. */
const questionsAfter = askedWhileRefusedCost + 8

/** Readings of the inventory: one before, and those after. */
const readings = 1 + readOnceServedCost

/**
 * Spends the smallest key with nothing else under way, asks what can be asked only while it is refused, and asks once
 * more when the time that the refusals name is up. A target that is too slow to refuse the larger keys, or a busy
 * machine, may leave such questions open in `burst`: this probe asks them again.
 */
export const whileRefused = defineProbe({
  id: 'while-refused',
  summary:
    'Spends the smallest key, asks what can be asked only while it is refused, and once more when the wait is over.',
  played: 'together',
  isLoad: true,
  settings: z.strictObject({
    spellings: z
      .array(z.string())
      .optional()
      .describe('The spellings of the request to ask with while the key is refused; all where none is named.'),
    writes: z.boolean().default(true).describe('Whether a PATCH is tried, which has to be refused.'),
  }),
  cost: (key, _settings, keys) =>
    key.name === smallestOf(keys).name
      ? {
          keyed: amountOf(key) + readings + askedWhileRefusedCost + partsCost + mostAskedForShorter + 1,
          strangers: 0,
          minutes: 2.1,
        }
      : { keyed: 0, strangers: 0, minutes: 0 },
  least: ({ name, quota }, _settings, keys) =>
    name === smallestOf(keys).name ? quota.minute + 1 + readings + questionsAfter : 0,
  async play(context, { spellings, writes }) {
    const { name } = smallestOf(context.keys)
    const spender = [context, ...context.others].find(({ key }) => key.name === name) ?? context
    const pets = writes && context.hasInventory && !context.readOnly ? await spender.inventory('before') : []
    const amount = amountOf(spender.key)
    const { ledger, refusals } = await spender.load({
      id: `while-refused-${name}`,
      connections: Math.min(spendingConnections, amount),
      amount,
      least: spender.key.quota.minute + 1,
      keeps: questionsAfter,
      stop: { kind: 'status', is: [429] },
    })
    if (refusals > 0) {
      await askWhileRefused(spender, pets, spellings)
      await waitAsTold(spender, await askForEarliest(spender, ledger.rows, spender.now()))
    }
    if (pets.length > 0) await readOnceServed(spender)
  },
})
