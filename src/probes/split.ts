import { z } from 'zod'
import { askGently, waitForReset } from './gentle.js'
import { defineProbe } from './probe.js'

/**
 * In windows: before anything is given back that was taken a window ago, and as late as slow answers allow. What is
 * admitted then shows a window that ends too early.
 */
const justBeforeEnd = 0.97

/**
 * When each part goes out, in windows since the key was admitted again. The next window is opened half a window out of
 * step: no grid then explains both that one's end and the ends before it.
 */
const parts = { half: 0.4, whole: 0.9, nextWindow: 1.5, again: 1.75, afterAgain: 0.9 + justBeforeEnd } as const

/**
 * Half the limit in the middle of a window, the limit near its end, and the limit again in the next one, each from a
 * different phase. What one limiter could have been excused for in a single burst, no limiter is excused for in all.
 */
export const split = defineProbe({
  id: 'split',
  played: 'each-key',
  settings: z.strictObject({ connections: z.int().min(1).max(500).default(50) }),
  cost: ({ quota }) => ({ keyed: Math.ceil(quota.minute * 2.5) + 7, strangers: 0, minutes: 3 }),
  async play(stage, { connections }) {
    const { minuteMs, key } = stage
    const limit = key.quota.minute
    const start = stage.lastUsedAt()
    const load = async (part: keyof typeof parts, amount: number) => {
      await stage.waitUntil(start + parts[part] * minuteMs, 'the next part of the window')
      return stage.load({ id: `${part}-${key.name}`, connections: Math.min(connections, amount), amount })
    }
    await load('half', Math.max(1, Math.floor(limit / 2)))
    await load('whole', limit)
    const opener = await askGently(stage, start + parts.nextWindow * minuteMs)
    await load('again', limit)
    let last = await askGently(stage, start + parts.afterAgain * minuteMs)
    if (last.response?.status === 429) last = await askGently(stage, opener.sentAt + justBeforeEnd * minuteMs)
    await waitForReset(stage, last)
  },
})
