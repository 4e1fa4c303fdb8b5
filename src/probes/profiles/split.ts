import { z } from 'zod'
import { askGently, waitForReset } from '../moves/gentle.js'
import { connectionsSetting, leastBeyondLimit } from '../moves/loads.js'
import { defineProbe } from '../probe.js'

/**
 * When a window is asked for the last time, in windows after what spent it: as late as slow answers allow, and before
 * anything is given back. An admission then shows a window that ends too early.
 */
const justBeforeEnd = 0.97

/**
 * When each part goes out, in windows after the key's last request. The next window is opened half a window out of step
 * with those before, and asked when a grid that explains those has begun anew: so no grid explains both ends. In
 * seconds of a minute: half the limit at 24, the limit at 48, the opener at 90, the limit again at 105, questions at
 * 106 and 126. The limit comes at 48 and not nearer to the end: a window that ends at 57 would begin anew under a load that
 * takes its time, its next one too, and all of them would look like a grid of 60.
 */
const parts = {
  half: 0.4,
  whole: 0.8,
  nextWindow: 1.5,
  again: 1.75,
  beforeWholeIsBack: 0.8 + justBeforeEnd,
  inNextWindow: 2.1,
} as const

/**
 * Where a refusal blocks the key, it answers nothing more of the window's end. If the limit near the end was admitted whole,
 * a window ended in between; half a window out of step the same is sent again, and as much that one window has no room for
 * it: no grid of whole windows ends at both places. In seconds of a minute: an opener at 150, half the limit at 174, the
 * rest and one more at 198.
 */
const outOfStep = { opener: 2.5, half: 2.9, rest: 3.3, last: 3.47 } as const

/**
 * Sends half the limit in the middle of a window, the limit near its end, and the limit again in the next one, each at
 * another phase. An extra admission that some model excuses in one burst is excused by none in all three. On a short
 * day it sends only the last, and {@link leastBeyondLimit} more: a grid that excuses the burst of another probe does
 * not fit it.
 */
export const split = defineProbe({
  id: 'split',
  summary:
    'Sends half the limit in the middle of a window, the limit near its end, and the limit again in the next: what one burst leaves unclear, three show.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    connections: connectionsSetting(),
  }),
  cost: ({ quota }) => ({ keyed: Math.ceil(quota.limit * 2.5) + 8, minutes: 3 }),
  least: ({ quota }) => quota.limit + leastBeyondLimit + 1,
  async play(context, { connections }) {
    const { minuteMs, key } = context
    const limit = key.quota.limit
    const start = context.lastUsedAt()
    const ask = (part: keyof typeof parts) => askGently(context, start + parts[part] * minuteMs)
    const loadAt = async (share: number, name: string, amount: number) => {
      await context.waitUntil(start + share * minuteMs, 'the next part of the window')
      const id = `${name}-${key.name}`
      return context.load({ id, connections: Math.min(connections, amount), amount, least: amount })
    }
    const load = (part: keyof typeof parts, amount: number) => loadAt(parts[part], part, amount)
    const half = Math.max(1, Math.floor(limit / 2))
    if (context.isShort) {
      // After a silence of a whole window some limiters begin a new grid, which could have any phase.
      await ask('whole')
    } else {
      await load('half', half)
      const { refusals } = await load('whole', limit)
      if (context.blockedForMs > 0 && refusals === 0) {
        await askGently(context, start + outOfStep.opener * minuteMs)
        await loadAt(outOfStep.half, 'half-out-of-step', half)
        await loadAt(outOfStep.rest, 'rest-out-of-step', limit - half + 1)
        return waitForReset(context, await askGently(context, start + outOfStep.last * minuteMs))
      }
    }
    const opener = await ask('nextWindow')
    await load('again', context.isShort ? limit + leastBeyondLimit - 1 : limit)
    await ask('beforeWholeIsBack')
    let last = await ask('inNextWindow')
    if (last.response?.status === 429) last = await askGently(context, opener.sentAt + justBeforeEnd * minuteMs)
    await waitForReset(context, last)
  },
})
