import { z } from 'zod'
import { evenPace } from '../moves/even-pace.js'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, waitForReset } from '../moves/gentle.js'
import { defineProbe } from '../probe.js'

/** One in the silence, and two for the wait. */
const questionsAfter = 3

/** Of a short day: a window and a fifth, so that what is admitted after the first window's end is seen. */
const fewWindows = 1.2
const leastOf = (limit: number, overshoot: number): number => Math.floor(limit * overshoot * fewWindows)

/**
 * More than the limit, evenly, over several windows: a limiter that is sound admits its limit in each of them. One whose
 * window never ends under load, or which refused requests push on, admits nothing after the first.
 */
export const overload = defineProbe({
  id: 'overload',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    overshoot: z.number().min(1.05).max(5).default(1.5),
    windows: z.int().min(2).max(10).default(3),
  }),
  cost: ({ quota }, { overshoot, windows }) => ({
    keyed: Math.ceil(quota.minute * overshoot * windows) + questionsAfter,
    strangers: 0,
    minutes: 2.2 + windows,
  }),
  least: ({ quota }, { overshoot }) => leastOf(quota.minute, overshoot) + questionsAfter,
  async play(stage, { overshoot, windows }) {
    await beSilent(stage)
    const { minute: limit } = stage.key.quota
    const pace = evenPace(stage, limit * overshoot, stage.isShort ? fewWindows : windows)
    const few = { least: leastOf(limit, overshoot), keeps: questionsAfter }
    const { refusals } = await stage.load({ id: `overload-${stage.key.name}`, ...pace, ...few })
    if (refusals > 0) await waitForReset(stage, await askGently(stage, stage.now() + 0.1 * stage.minuteMs))
  },
})
