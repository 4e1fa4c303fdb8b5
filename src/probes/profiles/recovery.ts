import { z } from 'zod'
import { askGently, waitAsTold, waitForReset } from '../moves/gentle.js'
import { defineProbe, type ProbeContext } from '../probe.js'

const connections = 10

/** One at the round's moment, and two for the wait. */
const questionsAfter = 3

/** Of a short day: one that waits as told, and one that waits for Reset. */
const fewRounds = 2

/** A little beyond the limit, so that the key is certainly spent; the first refusal ends it. */
const amountOf = (limit: number): number => limit + Math.ceil(limit / 20) + connections

/**
 * The moment of a round's last refusal: so many whole seconds after the spending began, and its own part of a second.
 * Where windows last whole seconds, the wait that is left then has another fraction in each round.
 */
const momentOf = (context: ProbeContext, startedAt: number, fraction: number): number => {
  const soonest = context.now() + 0.05 * context.minuteMs
  return startedAt + Math.ceil((soonest - startedAt) / 1000 - fraction) * 1000 + fraction * 1000
}

/**
 * Being there when the time is up, several times: the key is spent, refused at another part of a second in each round,
 * and asked again at the moment that the refusal named. Seconds that are cut off show in some of them only. Every other
 * round waits for Reset, where that is later.
 */
export const recovery = defineProbe({
  id: 'recovery',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({ rounds: z.int().min(1).max(10).default(3) }),
  cost: ({ quota }, { rounds }) => ({
    keyed: rounds * (amountOf(quota.minute) + questionsAfter),
    strangers: 0,
    minutes: 1 + 1.1 * rounds,
  }),
  least: ({ quota }) => amountOf(quota.minute) + questionsAfter,
  async play(context, { rounds }) {
    const { key } = context
    const amount = amountOf(key.quota.minute)
    const played = context.isShort ? Math.min(rounds, fewRounds) : rounds
    for (let round = 1; round <= played; round += 1) {
      const startedAt = context.now()
      const { refusals } = await context.load({
        id: `recovery-${round}-${key.name}`,
        connections: Math.min(connections, amount),
        amount,
        least: amount,
        keeps: questionsAfter,
        stopWhen: ({ status }) => status === 429,
      })
      if (refusals === 0) return
      const last = await askGently(context, momentOf(context, startedAt, (round - 0.5) / played))
      if (round % 2 === 0) await waitForReset(context, last)
      else await waitAsTold(context, last)
    }
  },
})
