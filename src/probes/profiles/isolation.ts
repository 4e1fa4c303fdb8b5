import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import {
  amountToSpend,
  atOnce,
  hasShortDay,
  isRoomyOther,
  leastToSpend,
  spendingConnections,
  untilRefused,
} from '../moves/loads.js'
import { otherQuantity, somePet, updateOf } from '../moves/pets.js'
import { DayUsedUp, defineProbe, type KeyFacts, type Pet, ProbeBlocked, type ProbeContext } from '../probe.js'

/** The most keys that are spent, one for each of four plans but the smallest; the others are asked three times for each. */
const mostSpenders = 3

/** What may be spent of a smaller limit: 11 by the probes before, 11 by this one, and what a bucket regains meanwhile. */
const roomyLimit = 26

const plansOf = (keys: readonly KeyFacts[]): number => new Set(keys.map(({ plan }) => plan)).size

const mayBeSpent = ({ quota }: KeyFacts): boolean => quota.limit < roomyLimit

/** So often a pet is changed between two lists of another key: somebody else does not keep time with each of these. */
const timesChanged = 3

/** A reading of the list with each of two keys, and the PATCHes of a pet in it. */
const requestsToChange = 1 + timesChanged

/** The pet that a spender changes, if it may; none if the list can't be read, which is not this probe's matter. */
const petToChange = async (spender: ProbeContext<'before'>): Promise<Pet | undefined> => {
  if (!spender.hasInventory || spender.readOnly || spender.isShort) return undefined
  const pets = await spender.inventory('before').catch((error) => {
    if (error instanceof ProbeBlocked) return []
    throw error
  })
  return pets.length > 0 ? somePet(spender, pets, 'changed') : undefined
}

/** Whether the setting spares a key: those with a short day, and the smallest of the others. */
const isKept = (key: KeyFacts, keeps: 'last' | 'smallest', keys: readonly KeyFacts[]): boolean =>
  keeps === 'smallest' && keys.some((each) => isRoomyOther(each, keys)) && !isRoomyOther(key, keys)

/**
 * Spends a key, and asks each of the others before and after: their Remaining must not fall by what was spent. If it changes
 * a pet first, the lists of the others have to show that (INV-2).
 */
const spendAndAsk = async (
  spender: ProbeContext<'before' | 'ahead' | 'patch' | 'beside'>,
  others: readonly ProbeContext<'before' | 'ahead' | 'beside'>[],
  pet: Pet | undefined,
): Promise<void> => {
  const { name, quota } = spender.key
  const { isSpentInGroups = false } = spender.key
  // In groups, any more would be sent when the first ones no longer count.
  const amount = spender.isShort || isSpentInGroups ? leastToSpend(quota.limit) : amountToSpend(quota.limit)
  if (isSpentInGroups) await beSilent(spender)
  for (const other of others) if (mayBeSpent(other.key)) await beSilent(other)
  // A key with a limit of 1 would be spent by the question.
  const askable = others.filter(({ key }) => key.quota.limit > 1)
  const [asker] = askable
  // At once before each PATCH and after it: a list that is kept for some seconds is still kept.
  if (pet && asker) {
    await asker.askOnce({ step: 'before', ...asker.ordinary })
    spender.willTouch(pet)
    for (let time = 0; time < timesChanged; time += 1) {
      if (time > 0) await asker.askOnce({ step: 'ahead', ...asker.ordinary })
      await spender.askOnce({ step: 'patch', ...updateOf(pet.id, otherQuantity(pet.quantity)) })
    }
  }
  for (const other of askable) await other.askOnce({ step: 'ahead', ...other.ordinary })
  const connections = Math.min(atOnce(spender, spendingConnections), amount)
  await spender.load({
    id: `isolation-${name}`,
    connections,
    amount,
    least: amount,
    ...(isSpentInGroups && { stop: untilRefused }),
  })
  for (const other of others) {
    const beside = { step: 'beside', ...other.ordinary, intent: { spent: name } } as const
    const { response } = await other.askOnce(beside)
    // If the next one is served, nobody else has spent the key: a limiter may refuse each window's first request, say.
    if (response?.status === 429) await other.askOnce(beside)
  }
}

/** Asks with a key before and after requests of a credential that counts in other quotas: they must not draw from this one. */
const askBesideCaller = async (
  context: ProbeContext<'ahead' | 'by-another' | 'beside'>,
  { credential, requests }: NonNullable<KeyFacts['otherCallers']>[number],
): Promise<void> => {
  const from = context.roomOf(credential, requests)
  if (from > context.now() + context.longestWaitMs) return
  await context.waitUntil(from, 'room in the quotas of another credential')
  if (mayBeSpent(context.key)) await beSilent(context)
  const asked = { ...context.ordinary, intent: { spent: credential } }
  await context.askOnce({ ...asked, step: 'ahead' })
  const byAnother = { ...asked, step: 'by-another', credential } as const
  await Promise.all(Array.from({ length: requests }, () => context.askOnce(byAnother)))
  await context.askOnce({ ...asked, step: 'beside' })
}

/**
 * Spends one key after the other, the roomiest first and those with a short day last, and asks with those that are still
 * whole: a key of one plan must not be held back by another's (QUOTA-4). One with a small limit is left alone first,
 * until it is whole. The last is not spent.
 */
export const isolation = defineProbe({
  id: 'isolation',
  summary:
    "Spends one plan's key after the other, and sends requests with the rest: no plan may be refused because of another's requests.",
  played: 'together',
  isLoad: true,
  settings: {
    keeps: z
      .enum(['last', 'smallest'])
      .default('last')
      .describe(
        'Which keys it does not spend. last: only the last key, which has a short day or is the smallest; smallest: keys with a short day, and the smallest other key.',
      ),
  },
  leavesChanged: 1,
  cost: (key, { keeps }, keys) => {
    const { otherCallers = [] } = key
    return {
      keyed:
        (isKept(key, keeps, keys) ? 0 : amountToSpend(key.quota.limit)) +
        3 * mostSpenders +
        requestsToChange +
        otherCallers.reduce((sum, { requests }) => sum + 2 + requests, 0),
      minutes: mayBeSpent(key) ? Math.min(mostSpenders, plansOf(keys) - 1) + otherCallers.length : 0,
    }
  },
  // Enough to be asked beside the others; a key whose day has no room to be spent is not spent.
  least: (_key, _settings, keys) => (plansOf(keys) > 1 ? 2 * mostSpenders : 0),
  async play(context, { keeps }) {
    const all = [context, ...context.others].sort(
      (a, b) => Number(hasShortDay(a.key)) - Number(hasShortDay(b.key)) || b.key.quota.limit - a.key.quota.limit,
    )
    const roomy = all.filter(({ key }) => !hasShortDay(key)).length
    const spent = keeps === 'smallest' ? Math.max(1, roomy - 1) : all.length - 1
    const tooShort: DayUsedUp[] = []
    const pet = all.length > 1 ? await petToChange(all[0]) : undefined
    for (const [place, spender] of all.slice(0, spent).entries()) {
      await spendAndAsk(spender, all.slice(place + 1), place === 0 ? pet : undefined).catch((error) => {
        if (!(error instanceof DayUsedUp)) throw error
        tooShort.push(error)
      })
    }
    for (const asker of all) for (const caller of asker.key.otherCallers ?? []) await askBesideCaller(asker, caller)
    if (tooShort.length > 0) throw tooShort[0]
  },
})
