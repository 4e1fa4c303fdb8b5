import { spanText } from '../kit/words.js'
import type { Concluded } from './discovered.js'
import type { Step } from './remaining-steps.js'
import { niceSpanMs, plain, spansFrom } from './seen-fields.js'

/** Whole seconds are truncated or rounded up. */
const endRoundingS = 1.1

/** Window lengths to try, in seconds: nobody chooses fractions, and a longer window is never seen to end. */
const lengths = Array.from({ length: 20 }, (_, i) => i + 1)

/** Times in milliseconds are off by the response's time on the way. */
const exactS = 0.15

/** A response that showed what is left, and when the quota renews. */
type ToldStep = Step & Readonly<Record<'aheadS' | 'resetAtS', number>>

/** The responses of one window, in order: the first found nothing spent. */
type SeenWindow = readonly ToldStep[]

/** The windows seen from their beginning, each up to the next; the last may go on. */
const seenWindows = (steps: readonly ToldStep[], isFull: (step: ToldStep) => boolean): SeenWindow[] => {
  const windows: ToldStep[][] = []
  for (const [at, step] of steps.entries()) {
    if (isFull(step)) windows.push([step])
    // Quota that returned in another way is no window's end: a bucket's refill, or a log that forgets.
    else if (at > 0 && step.remaining > steps[at - 1].remaining) return []
    else windows.at(-1)?.push(step)
  }
  return windows
}

/** Whether windows of this length, each from its first request on, fit. */
const fitsFromFirst = (windows: readonly SeenWindow[], seconds: number): boolean =>
  windows.every(([first, ...others], at) => {
    const slackS = first.isMoment && first.resetAtS % 1 !== 0 ? exactS : endRoundingS
    const { sentAt, receivedAt } = first.answer
    // The server decided during the round trip: up to its length more was left then.
    const mostAheadS = first.aheadS + (receivedAt - sentAt) / 1000
    if (seconds < first.aheadS - slackS || seconds > mostAheadS + slackS) return false
    const last = others.at(-1)
    const next = windows[at + 1]?.[0]
    const leastMs = last ? last.answer.sentAt - first.answer.receivedAt : 0
    const mostMs = next ? next.answer.receivedAt - first.answer.sentAt : Number.POSITIVE_INFINITY
    return leastMs < seconds * 1000 && seconds * 1000 <= mostMs
  })

/** Whether windows of this length aligned with the clock fit: three Resets on the grid are no coincidence. */
const fitsGrid = (windows: readonly SeenWindow[], seconds: number): boolean => {
  const steps = windows.flat()
  const resets = new Set(steps.map(({ resetAtS }) => resetAtS))
  return (
    resets.size > 2 &&
    steps.every(
      ({ isMoment, resetAtS, aheadS }) => isMoment && resetAtS % seconds === 0 && aheadS <= seconds + endRoundingS,
    )
  )
}

/**
 * The length of a short window that was seen to end, in milliseconds: the only whole number of seconds that fits when it was
 * full, when it was not, and the Resets. A Reset 4.4 s ahead may mean 4 s or 5 s; the window's end decides.
 */
const endedWindow = (steps: readonly ToldStep[], isFull: (step: ToldStep) => boolean) => {
  const windows = seenWindows(steps, isFull)
  if (windows.length < 2) return undefined
  const fitting = lengths.filter((each) => fitsFromFirst(windows, each) || fitsGrid(windows, each))
  if (fitting.length !== 1) return undefined
  const [[first, ...others], [next]] = windows
  const last = others.at(-1) ?? first
  const seenS = (step: ToldStep) => plain((step.answer.receivedAt - first.answer.receivedAt) / 1000)
  const words = `the whole limit was available again ${seenS(next)} s after the first request of a window, and not yet after ${seenS(last)} s`
  return { is: fitting[0] * 1000, because: `${words}; Reset was ${plain(first.aheadS)} s ahead` }
}

/** Milliseconds for whole seconds plus the response's time on the way. */
const marginMs = 1_100

/** A bucket's time to be full grows with what was taken; the windows computed from several responses differ by at most this. */
const mostSpread = 0.05

/** A Reset this near may belong to one window or the next longer one: with whole seconds only a window's end decides. */
const nearS = 8

type Rule = (steps: readonly ToldStep[], cost: number) => Concluded<number> | undefined

/** Somebody may have opened the window before: at most this share of it is gone. */
const mostBegun = 0.005

const isFull =
  (cost: number) =>
  ({ limit, remaining }: ToldStep): boolean =>
    limit !== undefined && remaining === limit - cost

const ended: Rule = (steps, cost) => endedWindow(steps, isFull(cost))

/** The first request of a window: its reset is a whole window ahead, where windows begin with their first request. */
const fresh: Rule = (steps, cost) => {
  for (const { aheadS, remaining } of steps.filter(isFull(cost))) {
    if (aheadS < nearS) continue
    const is = niceSpanMs(aheadS * 1000, Math.max(marginMs, aheadS * 1000 * mostBegun))
    if (is === undefined) continue
    const words = `with ${remaining} left, after the first request of a window, Reset was ${plain(aheadS)} s ahead`
    return { is, because: words }
  }
  return undefined
}

/** The time until a bucket is full: proportional to the requests taken from it. */
const refill: Rule = (steps) => {
  const byUsed = new Map<number, number>()
  for (const { limit, remaining, aheadS } of steps) {
    if (limit !== undefined && limit > remaining && aheadS > 0) byUsed.set((limit - remaining) / limit, aheadS)
  }
  const points = [...byUsed].sort(([a], [b]) => a - b)
  if (points.length < 3) return undefined
  const windows = points.map(([used, aheadS]) => aheadS / used).sort((a, b) => a - b)
  const middle = windows[windows.length >> 1]
  const [least, most] = [points[0], points[points.length - 1]]
  const slope = (most[1] - least[1]) / (most[0] - least[0])
  const isSteady = windows[windows.length - 1] - windows[0] <= mostSpread * middle
  // A key that was used before, with a constant reset, gives similar windows too.
  if (!isSteady || Math.abs(slope - middle) > middle / 2) return undefined
  const is = niceSpanMs(middle * 1000, middle * 1000 * mostSpread) ?? Math.max(1, Math.round(middle)) * 1000
  const words = `Reset grows by ${plain(middle / (steps[0].limit ?? 1))} s with each request: the time until the whole limit is back`
  return { is, because: `${words}, as with a bucket` }
}

/** Reset is equally far ahead in every response. */
const constant: Rule = (steps) => {
  const [first, last] = [steps[0], steps[steps.length - 1]]
  const watchedS = (last.answer.receivedAt - first.answer.receivedAt) / 1000
  const ahead = steps.map(({ aheadS }) => aheadS)
  if (Math.max(...ahead) < nearS) return undefined
  const is = niceSpanMs(Math.max(...ahead) * 1000, marginMs)
  if (is === undefined || watchedS < 3 || Math.max(...ahead) - Math.min(...ahead) > marginMs / 1000) return undefined
  return { is, because: `Reset was ${plain(ahead[0])} s ahead on each answer for ${plain(watchedS)} s` }
}

/** Reset is aligned with the clock: the shortest grid that fits is most probably the window. */
const grid: Rule = (steps) => {
  const aheadMs = Math.max(...steps.map(({ aheadS }) => aheadS)) * 1000
  const fits = (span: number) =>
    steps.every(({ resetAtS, isMoment }) => {
      const off = (resetAtS * 1000) % span
      // A delta is off by the response's time on the way.
      return Math.min(off, span - off) <= (isMoment ? 0 : marginMs)
    })
  const is = spansFrom(Math.max(aheadMs, shortestGridMs)).find(fits)
  if (is === undefined) return undefined
  return {
    is,
    because: `each Reset is a multiple of ${spanText(is)} on the clock, and none was further ahead; a longer window with the same grid would look alike`,
  }
}

/** Whole seconds fit every shorter grid by chance. */
const shortestGridMs = 10_000

/** A window that begins with its first request, or one on a grid; by chance the former may look like a shorter window. */
const freshOrGrid: Rule = (steps, cost) => {
  const [first, second] = [fresh(steps, cost), grid(steps, cost)]
  return first && second ? (first.is >= second.is ? first : second) : (first ?? second)
}

/** Whether no quota returned for longer than two windows, so that this can't be the window. */
const isContradicted = (steps: readonly ToldStep[], windowMs: number): boolean => {
  let since = 0
  for (const [at, { remaining, answer }] of steps.entries()) {
    if (at > 0 && remaining > steps[at - 1].remaining) since = at
    if (answer.receivedAt - steps[since].answer.receivedAt > 2 * windowMs + marginMs) return true
  }
  return false
}

const namedSpans: readonly (readonly [RegExp, number])[] = [
  [/second/, 1_000],
  [/minute/, 60_000],
  [/hour/, 3_600_000],
  [/day/, 86_400_000],
]

/**
 * The window of a quota, as far as responses show it; undefined if they leave it open. Also uses the window of its policy,
 * and the common part of its fields' names: `x-ratelimit-minute`.
 */
export const windowOf = (
  steps: readonly Step[],
  { policyS, stem, cost }: { policyS: number | undefined; stem: string; cost: number },
): Concluded<number> | undefined => {
  if (policyS !== undefined) return { is: policyS * 1000, because: `its policy says w=${policyS}` }
  const named = namedSpans.find(([word]) => word.test(stem))
  if (named) return { is: named[1], because: `the names of its fields say ${spanText(named[1])}` }
  const told = steps.filter((step): step is ToldStep => step.aheadS !== undefined && step.resetAtS !== undefined)
  if (told.length === 0) return undefined
  for (const rule of [ended, refill, constant, freshOrGrid]) {
    const concluded = rule(told, cost)
    if (concluded && !isContradicted(told, concluded.is)) return concluded
  }
  return undefined
}
