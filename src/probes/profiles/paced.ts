import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitForReset } from '../moves/gentle.js'
import { evenPace, jitterSetting, overshootSetting } from '../moves/loads.js'
import { defineProbe } from '../probe.js'

/**
 * Sends just under the limit, evenly, over whole windows: every admissible limiter serves all of it. One that counts
 * too much, or gives back too late, refuses some.
 */
export const steady = defineProbe({
  id: 'steady',
  summary: 'Sends a little less than the limit, evenly, over whole windows: all of it has to be admitted.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    share: z.number().min(0.1).max(0.98).default(0.95).describe('The share of the limit that it sends in each window.'),
    windows: z.int().min(1).max(10).default(2).describe('For how many windows.'),
    jitter: jitterSetting,
  }),
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

/** The windows of a short day: one and a fifth, so that admissions after the first window's end are seen. */
const fewWindows = 1.2
const leastOf = (limit: number, overshoot: number): number => Math.floor(limit * overshoot * fewWindows)

/**
 * Sends more than the limit, evenly, over several windows: a sound limiter admits its limit in each of them. One whose
 * window never ends under load, or ends later with each refusal, admits nothing after the first.
 */
export const overload = defineProbe({
  id: 'overload',
  summary: 'Sends more than the limit, evenly, over several windows: the limit has to get through in each of them.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    overshoot: overshootSetting(1.5, 5, 'it sends in each window'),
    windows: z.int().min(2).max(10).default(3).describe('For how many windows.'),
    jitter: jitterSetting,
  }),
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
