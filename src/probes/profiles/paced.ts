import { secondMs } from '../../contract/plans.js'
import { amount, whole } from '../../kit/described.js'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitAsTold, waitForReset } from '../moves/gentle.js'
import { evenPace, overshootSetting, untilRefused } from '../moves/loads.js'
import { defineLoad, type Probe, type ProbeContext } from '../probe.js'

/** The setting for how uneven an even load is. */
const jitterSetting = amount(
  0,
  1,
  0,
  'How much later each request may leave, as a share of the time between two requests: at 0 the pace is even.',
)

/** Sends just under the limit, evenly: every admissible limiter serves all; one that counts too much refuses some. */
const steady = defineLoad({
  id: 'steady',
  summary: 'Sends a little less than the limit, evenly, over whole windows: all of it must be admitted.',
  settings: {
    share: amount(0.1, 0.98, 0.95, 'The share of the limit that it sends in each window.'),
    windows: whole(1, 10, 2, 'How many windows it lasts.'),
    jitter: jitterSetting,
  },
  cost: ({ quota }, { share, windows }) => ({
    keyed: Math.ceil(quota.limit * share * windows),
    minutes: 1.1 + windows,
  }),
  least: ({ quota }, { share }) => Math.ceil(quota.limit * share),
  async play(context, { share, windows, jitter }) {
    await beSilent(context)
    const pace = evenPace(context, context.key.quota.limit * share, context.isShort ? 1 : windows, jitter)
    await context.load({ id: `steady-${context.key.name}`, ...pace, least: pace.amount })
  },
})

/** When the question in the silence comes, in windows after the load. */
const askedAfter = 0.1

/** Windows on a short day: one and a fifth, so that admissions after the first window's end are seen. */
const fewWindows = 1.2
const leastOf = (limit: number, overshoot: number): number => Math.floor(limit * overshoot * fewWindows)

/**
 * Sends more than the limit, evenly, over several windows: a sound limiter admits its limit in each of them. One whose
 * window never ends under load, or ends later with each refusal, admits nothing after the first.
 */
const overload = defineLoad({
  id: 'overload',
  summary: 'Sends more than the limit, evenly, over several windows: the limit must be admitted in each of them.',
  settings: {
    overshoot: overshootSetting(1.5, 5, 'it sends in each window'),
    windows: whole(2, 10, 3, 'How many windows it lasts.'),
    jitter: jitterSetting,
  },
  cost: ({ quota }, { overshoot, windows }) => ({
    keyed: Math.ceil(quota.limit * overshoot * windows) + gentleCost,
    minutes: 2.2 + windows,
  }),
  least: ({ quota }, { overshoot }) => leastOf(quota.limit, overshoot) + gentleCost,
  async play(context, { overshoot, windows, jitter }) {
    await beSilent(context)
    const { limit } = context.key.quota
    const pace = evenPace(context, limit * overshoot, context.isShort ? fewWindows : windows, jitter)
    const few = { least: leastOf(limit, overshoot), keeps: gentleCost }
    const { refusals } = await context.load({ id: `overload-${context.key.name}`, ...pace, ...few })
    if (refusals > 0)
      await waitForReset(context, await askGently(context, context.now() + askedAfter * context.windowMs))
  },
})

/** So few that little is in flight when the first refusal ends the load. */
const connections = 10

/** The least silence before a round's question, in windows. */
const leastSilence = 0.05

/** Rounds on a short day: one that waits as told, and one that waits for Reset. */
const fewRounds = 2

/** The limit, a twentieth more for a bucket that refills, and what is in flight; a refusal ends it. */
const amountOf = (limit: number): number => limit + Math.ceil(limit / 20) + connections

/**
 * The moment of a round's question: whole seconds after the spending began, plus the round's own part of a second. If a
 * window lasts whole seconds, the wait that is left then has another fraction in each round: with three rounds 5/6, 1/2
 * and 1/6.
 */
const momentOf = (context: ProbeContext, startedAt: number, fraction: number): number => {
  const soonest = context.now() + leastSilence * context.windowMs
  return startedAt + Math.ceil((soonest - startedAt) / secondMs - fraction) * secondMs + fraction * secondMs
}

/**
 * Spends the key several times, is refused at another part of a second in each round, and asks again at the moment that
 * the refusal named: waits that are cut off to whole seconds are too short in some parts only. Every other round waits
 * for Reset, if that is later.
 */
const recovery = defineLoad({
  id: 'recovery',
  summary: 'Spends the key several times, and sends a request exactly at the moment that each refusal named.',
  settings: { rounds: whole(1, 10, 3, 'How often the key is spent.') },
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
        stop: untilRefused,
      })
      if (refusals === 0) return
      const last = await askGently(context, momentOf(context, startedAt, (round - 0.5) / played))
      if (round % 2 === 0) await waitForReset(context, last)
      else await waitAsTold(context, last)
    }
  },
})

export const pacedProbes: readonly Probe[] = [steady, recovery, overload]
