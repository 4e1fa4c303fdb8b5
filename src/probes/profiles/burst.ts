import { z } from 'zod'
import { secondMs, secondsMatterMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { askForEarliest, mostAskedForShorter, partsCost } from '../moves/earliest-wait.js'
import { isSlowToSpend, mostOpeners, openFreshWindow } from '../moves/fresh-window.js'
import { askGently, askInBlock, resetBefore, waitAsTold } from '../moves/gentle.js'
import {
  amountInPace,
  connectionsSetting,
  leastToShow,
  overshootSetting,
  smallestOf,
  windowsInPace,
} from '../moves/loads.js'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  changedWhileRefused,
  readOnceServed,
  readOnceServedCost,
} from '../moves/refused-key.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/**
 * What is left of the last second of the wait, in seconds, when a key is refused: another part on each key, for waits
 * that are cut off or rounded to the nearest second are too short in some parts only.
 */
const partsLeft = [0.35, 0.15, 0.6, 0.85]

/** When a spent key is asked, in windows after the opener: early, and once when a bucket has refilled some more. */
const [askedFirst, askedAgain] = [0.2, 0.4]

/** The silence before such a question, in windows at least. */
const leastSilence = 0.1

/** The moment this share of a window after the opener, moved on so that the key's own part of a second is left. */
const momentAfter = (context: ProbeContext, opener: Exchange, share: number): number => {
  const { minuteMs, keys, key } = context
  const soonest = context.now() + leastSilence * minuteMs
  const aimed = opener.sentAt + share * minuteMs
  if (minuteMs < secondsMatterMs) return Math.max(aimed, soonest)
  const place = keys.findIndex(({ name }) => name === key.name)
  const at = aimed + secondMs * (1 - partsLeft[place % partsLeft.length])
  return at + secondMs * Math.max(0, Math.ceil((soonest - at) / secondMs))
}

/** Whether the settings name other plans, and not this one. */
const isSpared = (plan: string, plans?: readonly string[]): boolean => plans?.includes(plan) === false

const nothing = { keyed: 0 }

/** Requests beside loads and bounded moves: three openers, a question, two that wait, the list, three to spare. */
const besideLoad = 10

/** Questions after the load of a short day: in four parts of a second and once more, the first, and those that wait. */
const questionsAfter = 9

/**
 * Sends more than the plan's limit at once into a fresh window, over many connections, and single requests in the
 * silence after it. Then it waits as long as the last refusal says, or a shorter wait among a few more where those of
 * the burst contradict each other, and asks once. With the opener, `overshoot` times the limit is sent: 1 + 89 for a
 * limit of 60.
 */
export const burst = defineProbe({
  id: 'burst',
  summary:
    'Sends more than the limit at once into a fresh window, then single requests while the key is refused, and one when the wait is over.',
  played: 'each-plan',
  isLoad: true,
  leavesChanged: changedWhileRefused,
  settings: z.strictObject({
    overshoot: overshootSetting(1.5),
    connections: connectionsSetting(),
    // One suffices for all but a sliding counter, which weighs the window before.
    silence: z.int().min(1).max(3).default(1).describe('Windows of silence before it.'),
    plans: z
      .array(z.string())
      .optional()
      .describe('Only on the keys of these plans, or credentials of a contract; on all where none is named.'),
  }),
  cost: (key, { overshoot, silence, plans }) =>
    isSpared(key.plan, plans)
      ? nothing
      : {
          keyed:
            Math.max(Math.ceil(key.quota.limit * overshoot), amountInPace(key)) +
            key.quota.limit +
            besideLoad +
            mostAskedForShorter +
            partsCost +
            askedWhileRefusedCost +
            readOnceServedCost,
          minutes: 2 + silence + windowsInPace(key),
        },
  least: ({ plan, quota }, { plans }) =>
    isSpared(plan, plans) ? 0 : leastToShow(quota.limit) - 1 + mostOpeners + questionsAfter,
  async play(context, { overshoot, connections, silence, plans }) {
    if (isSpared(context.key.plan, plans)) return
    const isSmallest = context.key.name === smallestOf(context.keys).name
    const pets = isSmallest && context.hasInventory ? await context.inventory('before') : []
    const { limit } = context.key.quota
    const isSlow = !context.isShort && isSlowToSpend(context)
    const whole = isSlow ? Math.max(leastToShow(limit), amountInPace(context.key)) : Math.ceil(limit * overshoot)
    const amount = (context.isShort ? leastToShow(limit) : whole) - 1
    const used = Math.min(connections, amount)
    const opener = await openFreshWindow(context, amount / used, silence)
    const { ledger, refusals } = await context.load({
      id: `burst-${context.key.name}`,
      connections: used,
      amount,
      least: leastToShow(limit) - 1,
      keeps: questionsAfter,
      // In pace any more would take the time in which the key is refused.
      ...(isSlow && { stop: { kind: 'status', is: [429] } }),
    })
    if (refusals === 0) return
    const first = await askGently(context, momentAfter(context, opener, askedFirst))
    if (isSmallest && context.hasRoom(askedWhileRefusedCost + questionsAfter)) await askWhileRefused(context, pets)
    // A Reset that comes before Retry-After is put to the test by the first question: it has the most time left to be
    // wrong by.
    const early = resetBefore(context, first)
    const last =
      early === undefined
        ? await askForEarliest(context, ledger.rows, momentAfter(context, opener, askedAgain))
        : await askGently(context, early)
    if (last.response?.status === 200)
      await context.load({ id: `early-${context.key.name}`, connections: used, amount: limit, keeps: 2 })
    await waitAsTold(context, await askInBlock(context, ledger.rows, last))
    if (isSmallest) await readOnceServed(context)
  },
})
