import { type LedgerRows, lastAnswerUs } from '../../evidence/ledger.js'
import { amount, whole } from '../../kit/described.js'
import { beSilent, mostOpeners, openFreshWindow } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitForReset } from '../moves/gentle.js'
import { amountBeyond, leastToShow, overshootSetting } from '../moves/loads.js'
import { defineLoad } from '../probe.js'

/** When the question in the silence comes, in windows after the opener, if the load is over by then. */
const askedAfter = 0.6

const leastSilence = 0.1

/**
 * How many windows may have met in a load, each of which admits the limit, as a node that counts alone would: two, and
 * one more for each whole window that the load took because a busy machine sent it late.
 */
const windowsThatMet = (rows: LedgerRows, windowMs: number): number =>
  2 + Math.max(0, Math.floor((lastAnswerUs(rows) - rows.sentUs[0]) / 1000 / windowMs))

/**
 * When all of it is sent again at the soonest, in windows after the first opener: if two windows met in the first load,
 * none meet half a window out of step, and by then a sliding counter weighs nothing of it any more.
 */
const outOfStep = 2.5

const amountOf = (limit: number, { overshoot, machines }: { overshoot: number; machines: number }): number =>
  machines * amountBeyond(limit, overshoot)

/**
 * Uses one key from all machines at once: each of them sends more than the whole limit, in its own slots of one
 * schedule. A single limiter admits the limit once, whoever asks; nodes that count alone admit it once each, and every
 * machine sees no more than its own. If two windows that meet would explain the result as well, it is sent again, half
 * a window out of step. From one machine it is played all the same, and shows what that one node admits.
 */
export const spread = defineLoad({
  id: 'spread',
  summary:
    'Uses each key from all machines at once, to see whether all nodes share one quota or each node counts alone.',
  settings: {
    overshoot: overshootSetting(1.25, 5, 'each machine sends', ' each'),
    within: amount(0.02, 0.5, 0.2, 'The part of a window in which it sends them: 0.2 is a fifth.'),
    connections: whole(1, 2_000, 50, 'How many connections all machines use together.'),
    machines: whole(1, 1_000, 1, 'How many machines send: the run sets it, from --agents.'),
  },
  cost: ({ quota }, settings) => ({
    keyed: 2 * (amountOf(quota.limit, settings) + mostOpeners) + gentleCost,
    minutes: 5.2,
  }),
  least: ({ quota }) => leastToShow(quota.limit) - 1 + mostOpeners + gentleCost,
  async play(context, { within, connections, ...settings }) {
    const { key, windowMs } = context
    const { limit } = key.quota
    const amount = context.isShort ? leastToShow(limit) - 1 : amountOf(limit, settings)
    const send = async (id: string) => {
      const opener = await openFreshWindow(context, amount / Math.min(connections, amount))
      const { ledger, refusals } = await context.load({
        id,
        connections: Math.min(connections, amount),
        amount,
        least: leastToShow(limit) - 1,
        keeps: gentleCost,
        schedule: { kind: 'constant', perSecond: (amount * 1000) / (within * windowMs) },
        isSpread: true,
      })
      const admitted = ledger.rows.status.reduce((sum, each) => sum + (each === 200 ? 1 : 0), 0)
      return { opener, refusals, admitted, mostOfOne: limit * windowsThatMet(ledger.rows, windowMs) }
    }
    const { opener, refusals, admitted, mostOfOne } = await send(`spread-${key.name}`)
    if (refusals === 0) return
    const soonest = context.now() + leastSilence * windowMs
    await waitForReset(context, await askGently(context, Math.max(soonest, opener.sentAt + askedAfter * windowMs)))
    const mayHaveMet = admitted > limit && admitted <= mostOfOne
    if (!mayHaveMet || !context.hasRoom(amount + mostOpeners)) return
    await beSilent(context)
    const later = Math.ceil((context.now() - opener.sentAt) / windowMs - outOfStep)
    const windows = outOfStep + Math.max(0, later)
    await context.waitUntil(opener.sentAt + windows * windowMs, 'window boundaries to fall outside the load')
    await send(`spread-again-${key.name}`)
  },
})
