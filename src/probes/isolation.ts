import { noSettings } from './no-settings.js'
import { defineProbe, type Stage } from './probe.js'

const connections = 20

/** One for each plan but the smallest: each of the keys beside them is asked twice. */
const mostSpenders = 3

/** A little beyond the limit, so that the key is certainly spent. */
const amountOf = (limit: number): number => limit + Math.ceil(limit / 20) + 2

/**
 * Spends a key, and asks once with each of the others before and after: what the first answer shows to be left is what
 * the second one is held against.
 */
const spendAndAsk = async (spender: Stage, others: readonly Stage[]): Promise<void> => {
  const { name, quota } = spender.key
  const amount = amountOf(quota.minute)
  for (const other of others) await other.askOnce({ step: 'ahead', operation: 'listInventory' })
  await spender.load({ id: `isolation-${name}`, connections: Math.min(connections, amount), amount })
  for (const other of others) {
    await other.askOnce({ step: 'beside', operation: 'listInventory', intent: { spent: name } })
  }
}

/**
 * Spends one key after the other, the roomiest first, and asks with those that are still whole: a key of one plan must
 * not be held back by another's (QUOTA-4).
 */
export const isolation = defineProbe({
  id: 'isolation',
  played: 'together',
  settings: noSettings,
  cost: ({ quota }) => ({ keyed: amountOf(quota.minute) + 2 * mostSpenders, strangers: 0, minutes: 0 }),
  async play(stage) {
    const all = [stage, ...stage.others].sort((a, b) => b.key.quota.minute - a.key.quota.minute)
    for (const [place, spender] of all.slice(0, -1).entries()) await spendAndAsk(spender, all.slice(place + 1))
  },
})
