import { secondMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { ProbeContext } from '../probe.js'
import { askGently, askOneByOne, pollNextEnd } from './gentle.js'
import { amountInPace, untilRefused } from './loads.js'

/**
 * When a window is asked for the last time, in windows after the request that spent it: as late as slow answers allow,
 * and before anything comes back. An admission then shows a window that ends too early.
 */
export const justBeforeEnd = 0.97

/** How long after its end a window has surely ended, in windows. */
const justAfterEnd = 0.02

/** A few more than a sliding counter gives back between two moments this many windows apart. */
const moreThanWeighed = ({ key }: ProbeContext, windows: number): number => Math.ceil(key.quota.limit * windows) + 1

/**
 * Asks just before and just after each end that the window can have: two windows after the request that found the
 * window before it open again, and one window after this one's opener. If it has ended by then, a few more requests
 * show that all of it is back.
 */
export const askAroundEnds = async (context: ProbeContext<'gentle'>, start: number, opener: Exchange) => {
  const { windowMs, key } = context
  const ends = [
    { at: start + 2 * windowMs, roundedMs: secondMs },
    { at: opener.sentAt + windowMs, roundedMs: 0 },
  ]
  for (const { at, roundedMs } of ends) {
    await askGently(context, at - (1 - justBeforeEnd) * windowMs - roundedMs)
    const { response } = await askGently(context, at + justAfterEnd * windowMs)
    if (response?.status === 429) continue
    const amount = moreThanWeighed(context, 1 - justBeforeEnd + justAfterEnd + roundedMs / windowMs)
    await context.load({ id: `back-${key.name}`, connections: 1, amount, stop: untilRefused })
    return
  }
}

/** A moment before a bucket is full again, in windows after it was spent. */
const beforeFull = 0.9

/** Spends a bucket once more before it is full: one extra request per window adds up to several, and shows. */
export const spendBeforeFull = async (context: ProbeContext, connections: number, amount: number): Promise<void> => {
  await context.waitUntil(context.lastUsedAt() + beforeFull * context.windowMs, 'most of its quota to return')
  await context.load({ id: `before-full-${context.key.name}`, connections, amount })
  await askOneByOne(context, 'empty')
}

/** How many windows in a row are spent if shorter quotas allow groups only: a window's length lies between two ends. */
export const endsInGroups = 2

/** Spends each window from the request that found it open, and looks for its end. What comes back bit by bit has none. */
export const spendToItsEnd = async (context: ProbeContext<'gentle'>, connections: number): Promise<void> => {
  const { key, windowMs } = context
  const amount = amountInPace(key)
  for (let ends = 0; ends < endsInGroups; ends += 1) {
    const openedAt = context.lastUsedAt()
    const load = { id: `to-its-end-${key.name}`, connections: Math.min(connections, amount), amount }
    await context.load({ ...load, stop: untilRefused })
    const { wasOpen } = await pollNextEnd(context, openedAt + windowMs)
    if (wasOpen) return
  }
}
