import { z } from 'zod'
import { planNames } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  readOnceServed,
  readOnceServedCost,
} from '../moves/asked-while-refused.js'
import { openFreshWindow } from '../moves/fresh-window.js'
import { askGently, resetBefore, waitAsTold } from '../moves/gentle.js'
import { partsCost } from '../moves/parts-of-a-second.js'
import { askForEarliest, mostAskedForShorter } from '../moves/shorter-wait.js'
import { smallestOf } from '../moves/smallest-key.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/**
 * What is left over of the last second of the wait, on each key another part: seconds that are cut off, or rounded to the
 * nearest, show only in some.
 */
const partsLeft = [0.35, 0.15, 0.6, 0.85]

/** Windows shorter than this have no whole seconds to tell apart. */
const secondsMatterMs = 3_000

/** Such a share of the window after the opener, and so much later that the key's part of a second is left over. */
const momentAfter = (context: ProbeContext, opener: Exchange, share: number): number => {
  const { minuteMs, keys, key } = context
  const soonest = context.now() + 0.1 * minuteMs
  const aimed = opener.sentAt + share * minuteMs
  if (minuteMs < secondsMatterMs) return Math.max(aimed, soonest)
  const place = keys.findIndex(({ name }) => name === key.name)
  const at = aimed + 1_000 * (1 - partsLeft[place % partsLeft.length])
  return at + 1_000 * Math.max(0, Math.ceil((soonest - at) / 1_000))
}

const nothing = { keyed: 0, strangers: 0, minutes: 0 }

/** Of a short day: so few more than the limit tell an extra admission too; the opener is one of them. */
const leastOf = (limit: number): number => limit + 3

/** The openers that a fresh window may take; and the questions after the load, one of them in each part of a second. */
const mostOpeners = 3
const questionsAfter = 9

/**
 * On a fresh window more than the plan's limit at once, over many connections; single requests in the silence after
 * it; then the wait that the last refusal names, or the shorter one of a few more where the burst's contradict each
 * other, and one request. The opener is part of the amount, so `overshoot` times the limit is sent in the burst.
 */
export const burst = defineProbe({
  id: 'burst',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    overshoot: z.number().min(1.05).max(10).default(1.5),
    connections: z.int().min(1).max(500).default(50),
    /** Only on the keys of these plans; on all where none is named. */
    plans: z.array(z.enum(planNames)).optional(),
  }),
  cost: ({ plan, quota }, { overshoot, plans }) =>
    plans?.includes(plan) === false
      ? nothing
      : {
          keyed:
            Math.ceil(quota.minute * (overshoot + 1)) +
            10 +
            mostAskedForShorter +
            partsCost +
            askedWhileRefusedCost +
            readOnceServedCost,
          strangers: 0,
          minutes: 3,
        },
  least: ({ plan, quota }, { plans }) =>
    plans?.includes(plan) === false ? 0 : leastOf(quota.minute) - 1 + mostOpeners + questionsAfter,
  async play(context, { overshoot, connections, plans }) {
    if (plans?.includes(context.key.plan) === false) return
    const isSmallest = context.key.name === smallestOf(context.keys).name
    const pets = isSmallest ? await context.inventory('before') : []
    const { minute: limit } = context.key.quota
    const amount = (context.isShort ? leastOf(limit) : Math.ceil(limit * overshoot)) - 1
    const used = Math.min(connections, amount)
    const opener = await openFreshWindow(context, amount / used)
    const { ledger, refusals } = await context.load({
      id: `burst-${context.key.name}`,
      connections: used,
      amount,
      least: leastOf(limit) - 1,
      keeps: questionsAfter,
    })
    if (refusals === 0) return
    const first = await askGently(context, momentAfter(context, opener, 0.2))
    if (isSmallest && context.hasRoom(askedWhileRefusedCost + questionsAfter)) await askWhileRefused(context, pets)
    // The earlier it is asked, the further a Reset that is too early lies from the truth.
    const early = resetBefore(context, first)
    const last =
      early === undefined
        ? await askForEarliest(context, ledger.rows, momentAfter(context, opener, 0.4))
        : await askGently(context, early)
    if (last.response?.status === 200)
      await context.load({ id: `early-${context.key.name}`, connections: used, amount: limit, keeps: 2 })
    await waitAsTold(context, last)
    if (isSmallest) await readOnceServed(context)
  },
})
