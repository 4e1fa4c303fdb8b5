import { spanText } from '../kit/words.js'
import type { Concluded } from './discovered.js'
import type { Step } from './remaining-steps.js'
import { niceSpanMs, plain, spansFrom } from './seen-fields.js'

/** Whole seconds are cut off or rounded up. */
const endRoundingS = 1.1

/** Nobody chooses a part of a second, and no longer window is seen to end. */
const lengths = Array.from({ length: 20 }, (_, i) => i + 1)

/** What is written to the millisecond is as exact as the way of an answer. */
const exactS = 0.15

/** An answer that showed what is left, and when the quota renews. */
type ToldStep = Step & Readonly<Record<'aheadS' | 'resetAtS', number>>

/** Answers of one window, in order: the first of them found nothing spent. */
type SeenWindow = readonly ToldStep[]

/** The windows that were seen from an answer that found nothing spent, each up to the next; the last may go on. */
const seenWindows = (steps: readonly ToldStep[], isFull: (step: ToldStep) => boolean): SeenWindow[] => {
  const windows: ToldStep[][] = []
  for (const [at, step] of steps.entries()) {
    if (isFull(step)) windows.push([step])
    // What came back otherwise is no window's end: a bucket's refill, or a log that forgets.
    else if (at > 0 && step.remaining > steps[at - 1].remaining) return []
    else windows.at(-1)?.push(step)
  }
  return windows
}

const isPrecise = ({ isMoment, resetAtS }: ToldStep): boolean => isMoment && resetAtS % 1 !== 0

/** Whether windows of this length, each from its first request on, would have looked so. */
const fitsFromFirst = (windows: readonly SeenWindow[], seconds: number): boolean =>
  windows.every(([first, ...others], at) => {
    const slackS = isPrecise(first) ? exactS : endRoundingS
    const { sentAt, receivedAt } = first.answer
    // It was decided on the way: up to a round trip more was left then.
    const mostAheadS = first.aheadS + (receivedAt - sentAt) / 1000
    if (seconds < first.aheadS - slackS || seconds > mostAheadS + slackS) return false
    const last = others.at(-1)
    const next = windows[at + 1]?.[0]
    const leastMs = last ? last.answer.sentAt - first.answer.receivedAt : 0
    const mostMs = next ? next.answer.receivedAt - first.answer.sentAt : Number.POSITIVE_INFINITY
    return leastMs < seconds * 1000 && seconds * 1000 <= mostMs
  })

/** Whether windows of this length on the clock's own grid would have looked so: three Resets lie on it by no chance. */
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
 * The length of a short window that was seen to end, in milliseconds: the only whole number of seconds that fits when it
 * was full, when it was not, and the Resets. A Reset 4.4 s ahead may be that of 4 s or of 5; the end tells.
 */
const endedWindow = (
  steps: readonly ToldStep[],
  isFull: (step: ToldStep) => boolean,
): Concluded<number> | undefined => {
  const windows = seenWindows(steps, isFull)
  if (windows.length < 2) return undefined
  const fitting = lengths.filter((each) => fitsFromFirst(windows, each) || fitsGrid(windows, each))
  if (fitting.length !== 1) return undefined
  const [[first, ...others], [next]] = windows
  const last = others.at(-1) ?? first
  const seenS = (step: ToldStep) => plain((step.answer.receivedAt - first.answer.receivedAt) / 1000)
  const words = `what was left was whole again ${seenS(next)} s after the first request of a window, and not yet after ${seenS(last)} s`
  return { is: fitting[0] * 1000, because: `${words}; Reset was ${plain(first.aheadS)} s ahead` }
}

/** Whole seconds, and the way of an answer, in milliseconds. */
const marginMs = 1_100

/** A bucket's time to be full grows with what was taken: so alike are the windows that several answers give. */
const mostSpread = 0.05

/** A Reset so near may be that of one window or of the next longer one: only an end tells, where seconds are whole. */
const nearS = 8

type Rule = (steps: readonly ToldStep[], cost: number) => Concluded<number> | undefined

/** Somebody looked at the window before: so much of it may be gone. */
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

/** The time until a bucket is full: so much for each request that was taken from it. */
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
  // Of a key that was used before, whose reset stands still, the windows are alike, too.
  if (!isSteady || Math.abs(slope - middle) > middle / 2) return undefined
  const is = niceSpanMs(middle * 1000, middle * 1000 * mostSpread) ?? Math.max(1, Math.round(middle)) * 1000
  const words = `Reset grows by ${plain(middle / (steps[0].limit ?? 1))} s with each request: the time until all is back`
  return { is, because: `${words}, as a bucket has it` }
}

/** Reset is as far ahead on every answer. */
const constant: Rule = (steps) => {
  const [first, last] = [steps[0], steps[steps.length - 1]]
  const watchedS = (last.answer.receivedAt - first.answer.receivedAt) / 1000
  const ahead = steps.map(({ aheadS }) => aheadS)
  if (Math.max(...ahead) < nearS) return undefined
  const is = niceSpanMs(Math.max(...ahead) * 1000, marginMs)
  if (is === undefined || watchedS < 3 || Math.max(...ahead) - Math.min(...ahead) > marginMs / 1000) return undefined
  return { is, because: `Reset was ${plain(ahead[0])} s ahead on each answer for ${plain(watchedS)} s` }
}

/** Reset lies on a grid of the clock: the shortest that it fits is most probably the window. */
const grid: Rule = (steps) => {
  const aheadMs = Math.max(...steps.map(({ aheadS }) => aheadS)) * 1000
  const fits = (span: number) =>
    steps.every(({ resetAtS, isMoment }) => {
      const off = (resetAtS * 1000) % span
      // What counts from now is as exact as the way of the answer.
      return Math.min(off, span - off) <= (isMoment ? 0 : marginMs)
    })
  const is = spansFrom(Math.max(aheadMs, shortestGridMs)).find(fits)
  if (is === undefined) return undefined
  return {
    is,
    because: `each Reset is a multiple of ${spanText(is)} on the clock, and none was further ahead; a longer window with the same grid would look alike`,
  }
}

/** Whole seconds lie on every shorter grid by chance. */
const shortestGridMs = 10_000

/** A window that begins with its first request, or one on a grid: by chance the first may look as a shorter one. */
const freshOrGrid: Rule = (steps, cost) => {
  const [first, second] = [fresh(steps, cost), grid(steps, cost)]
  return first && second ? (first.is >= second.is ? first : second) : (first ?? second)
}

/** Nothing came back for longer than two windows: so it was none. */
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
 * The window of a quota, as far as answers tell it; undefined where they leave it open. What else is known: the window of its
 * policy, and what the names of its fields have in common, `x-ratelimit-minute`.
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

/** What can be said of a window that is not known: how long it is at least. */
export const windowAtLeast = (steps: readonly Step[]): string => {
  const ahead = steps.flatMap(({ aheadS }) => (aheadS === undefined ? [] : [aheadS]))
  const most = Math.max(...ahead)
  if (ahead.length === 0 || most <= 0) return 'no answer says when it renews'
  return `Reset was ${plain(most)} s ahead at most, so it is about that long, or longer`
}
