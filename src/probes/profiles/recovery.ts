import { z } from 'zod'
import { secondMs } from '../../contract/plans.js'
import { askGently, gentleCost, waitAsTold, waitForReset } from '../moves/gentle.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/** So few that little is under way when the first refusal ends the load. */
const connections = 10

/** The silence before a round's question, in windows at least. */
const leastSilence = 0.05

/** The rounds of a short day: one that waits as told, and one that waits for Reset. */
const fewRounds = 2

/** More than the limit by a twentieth, for a bucket that refills, and by what is under way; a refusal ends it. */
const amountOf = (limit: number): number => limit + Math.ceil(limit / 20) + connections

/**
 * The moment of a round's question: whole seconds after the spending began, and the round's own part of a second. Where
 * a window lasts whole seconds, the wait that is left then has another fraction in each round: with three 5/6, 1/2 and
 * 1/6.
 */
const momentOf = (context: ProbeContext, startedAt: number, fraction: number): number => {
  const soonest = context.now() + leastSilence * context.windowMs
  return startedAt + Math.ceil((soonest - startedAt) / secondMs - fraction) * secondMs + fraction * secondMs
}

/**
 * Spends the key several times, is refused at another part of a second in each round, and asks again at the moment that
 * the refusal named: waits that are cut off to whole seconds are too short in some parts only. Every other round waits
 * for Reset, where that is later.
 */
export const recovery = defineProbe({
  id: 'recovery',
  summary: 'Spends the key several times, and asks again at the very moment that each refusal named.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    rounds: z.int().min(1).max(10).default(3).describe('How often the key is spent.'),
  }),
  cost: ({ quota }, { rounds }) => ({
    keyed: rounds * (amountOf(quota.limit) + gentleCost),
    minutes: 1 + 1.1 * rounds,
  }),
  least: ({ quota }) => amountOf(quota.limit) + gentleCost,
  async play(context, { rounds }) {
    const { key } = context
    const amount = amountOf(key.quota.limit)
    const played = context.isShort ? Math.min(rounds, fewRounds) : rounds
    for (let round = 1; round <= played; round += 1) {
      const startedAt = context.now()
      const { refusals } = await context.load({
        id: `recovery-${round}-${key.name}`,
        connections: Math.min(connections, amount),
        amount,
        least: amount,
        keeps: gentleCost,
        stop: { kind: 'status', is: [429] },
      })
      if (refusals === 0) return
      const last = await askGently(context, momentOf(context, startedAt, (round - 0.5) / played))
      if (round % 2 === 0) await waitForReset(context, last)
      else await waitAsTold(context, last)
    }
  },
})
