import { z } from 'zod'
import { planNames } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  readOnceServed,
  readOnceServedCost,
} from '../moves/asked-while-refused.js'
import { waitsContradict } from '../moves/contradictory-waits.js'
import { openFreshWindow } from '../moves/fresh-window.js'
import { askForShorter, askGently, mostAskedForShorter, resetBefore, waitAsTold } from '../moves/gentle.js'
import { askInParts, partsCost } from '../moves/parts-of-a-second.js'
import { smallestOf } from '../moves/smallest-key.js'
import { defineProbe, type Stage } from '../probe.js'

/**
 * What is left over of the last second of the wait, on each key another part: seconds that are cut off, or rounded to the
 * nearest, show only in some.
 */
const partsLeft = [0.35, 0.15, 0.6, 0.85]

/** Windows shorter than this have no whole seconds to tell apart. */
const secondsMatterMs = 3_000

/** Such a share of the window after the opener, and so much later that the key's part of a second is left over. */
const momentAfter = (stage: Stage, opener: Exchange, share: number): number => {
  const { minuteMs, keys, key } = stage
  const soonest = stage.now() + 0.1 * minuteMs
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
  async play(stage, { overshoot, connections, plans }) {
    if (plans?.includes(stage.key.plan) === false) return
    const isSmallest = stage.key.name === smallestOf(stage.keys).name
    const pets = isSmallest ? await stage.inventory('before') : []
    const { minute: limit } = stage.key.quota
    const amount = (stage.isShort ? leastOf(limit) : Math.ceil(limit * overshoot)) - 1
    const used = Math.min(connections, amount)
    const opener = await openFreshWindow(stage, amount / used)
    const { ledger, refusals } = await stage.load({
      id: `burst-${stage.key.name}`,
      connections: used,
      amount,
      least: leastOf(limit) - 1,
      keeps: questionsAfter,
    })
    if (refusals === 0) return
    const first = await askGently(stage, momentAfter(stage, opener, 0.2))
    if (isSmallest && stage.hasRoom(askedWhileRefusedCost + questionsAfter)) await askWhileRefused(stage, pets)
    // The earlier it is asked, the further a Reset that is too early lies from the truth.
    const early = resetBefore(stage, first)
    const last =
      early === undefined ? await askInParts(stage, momentAfter(stage, opener, 0.4)) : await askGently(stage, early)
    if (last.response?.status === 200)
      await stage.load({ id: `early-${stage.key.name}`, connections: used, amount: limit, keeps: 2 })
    await waitAsTold(stage, waitsContradict(ledger.rows) ? await askForShorter(stage, last) : last)
    if (isSmallest) await readOnceServed(stage)
  },
})
