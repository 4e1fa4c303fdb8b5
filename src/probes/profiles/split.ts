import { z } from 'zod'
import { askGently, waitForReset } from '../moves/gentle.js'
import { defineProbe } from '../probe.js'

/**
 * In windows: before anything is given back that was taken a window ago, and as late as slow answers allow. What is
 * admitted then shows a window that ends too early.
 */
const justBeforeEnd = 0.97

/**
 * When each part goes out, in windows since the key was admitted again. The next window is opened half a window out of
 * step, and asked at a time when a grid that explains the windows before has begun anew: so no grid explains both ends.
 */
const parts = {
  half: 0.4,
  whole: 0.9,
  nextWindow: 1.5,
  again: 1.75,
  beforeWholeIsBack: 0.9 + justBeforeEnd,
  inNextWindow: 2.1,
} as const

/**
 * Of a short day: so many more than the limit, the opener included, in the window that is out of step. A burst in step
 * shows an extra admission, but for a grid that began anew right after its opener; that grid does not explain this one.
 */
const beyond = 3

/**
 * Half the limit in the middle of a window, the limit near its end, and the limit again in the next one, each from a
 * different phase. What one limiter could have been excused for in a single burst, no limiter is excused for in all.
 */
export const split = defineProbe({
  id: 'split',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({ connections: z.int().min(1).max(500).default(50) }),
  cost: ({ quota }) => ({ keyed: Math.ceil(quota.minute * 2.5) + 8, strangers: 0, minutes: 3 }),
  least: ({ quota }) => quota.minute + beyond + 1,
  async play(context, { connections }) {
    const { minuteMs, key } = context
    const limit = key.quota.minute
    const start = context.lastUsedAt()
    const ask = (part: keyof typeof parts) => askGently(context, start + parts[part] * minuteMs)
    const load = async (part: keyof typeof parts, amount: number) => {
      await context.waitUntil(start + parts[part] * minuteMs, 'the next part of the window')
      const id = `${part}-${key.name}`
      return context.load({ id, connections: Math.min(connections, amount), amount, least: amount })
    }
    if (context.isShort) {
      // After a silence of a whole window some limiters begin a grid anew, which would be in step with anything.
      await ask('whole')
    } else {
      await load('half', Math.max(1, Math.floor(limit / 2)))
      await load('whole', limit)
    }
    const opener = await ask('nextWindow')
    await load('again', context.isShort ? limit + beyond - 1 : limit)
    await ask('beforeWholeIsBack')
    let last = await ask('inNextWindow')
    if (last.response?.status === 429) last = await askGently(context, opener.sentAt + justBeforeEnd * minuteMs)
    await waitForReset(context, last)
  },
})
