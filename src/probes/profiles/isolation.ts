import { DayUsedUp, defineProbe, type ProbeContext } from '../probe.js'
import { noSettings } from '../requests/no-settings.js'

const connections = 20

/** One for each plan but the smallest: each of the keys beside them is asked twice. */
const mostSpenders = 3

/** A little beyond the limit, so that the key is certainly spent. */
const amountOf = (limit: number): number => limit + Math.ceil(limit / 20) + 2

/** Of a short day: so few more than the limit spend the key as well. */
const leastOf = (limit: number): number => limit + 2

/**
 * Spends a key, and asks once with each of the others before and after: what the first answer shows to be left is what
 * the second one is held against.
 */
const spendAndAsk = async (spender: ProbeContext, others: readonly ProbeContext[]): Promise<void> => {
  const { name, quota } = spender.key
  const amount = spender.isShort ? leastOf(quota.minute) : amountOf(quota.minute)
  for (const other of others) await other.askOnce({ step: 'ahead', operation: 'listInventory' })
  await spender.load({ id: `isolation-${name}`, connections: Math.min(connections, amount), amount, least: amount })
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
  isLoad: true,
  settings: noSettings,
  cost: ({ quota }) => ({ keyed: amountOf(quota.minute) + 2 * mostSpenders, strangers: 0, minutes: 0 }),
  // What it takes to be asked; a key that can't be spent as well is left out as a spender.
  least: (_key, _settings, keys) => (new Set(keys.map(({ plan }) => plan)).size > 1 ? 2 * mostSpenders : 0),
  async play(context) {
    const all = [context, ...context.others].sort((a, b) => b.key.quota.minute - a.key.quota.minute)
    const tooShort: DayUsedUp[] = []
    for (const [place, spender] of all.slice(0, -1).entries()) {
      await spendAndAsk(spender, all.slice(place + 1)).catch((error) => {
        if (!(error instanceof DayUsedUp)) throw error
        tooShort.push(error)
      })
    }
    if (tooShort.length > 0) throw tooShort[0]
  },
})
