import type { Concluded } from '../../contract/discovered.js'
import { plain } from './seen-answer.js'
import type { ToldStep } from './told-step.js'

/** Whole seconds are cut off or rounded up; nobody chooses a part of one. */
const roundingS = 1.1
const longestS = 20

/** What is written to the millisecond is as exact as the way of an answer. */
const exactS = 0.15

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
    const slackS = isPrecise(first) ? exactS : roundingS
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
      ({ isMoment, resetAtS, aheadS }) => isMoment && resetAtS % seconds === 0 && aheadS <= seconds + roundingS,
    )
  )
}

/**
 * The length of a short window that was seen to end, in milliseconds: the only whole number of seconds that fits when it
 * was full, when it was not, and the Resets. A Reset 4.4 s ahead may be that of 4 s or of 5; the end tells.
 */
export const endedWindow = (
  steps: readonly ToldStep[],
  isFull: (step: ToldStep) => boolean,
): Concluded<number> | undefined => {
  const windows = seenWindows(steps, isFull)
  if (windows.length < 2) return undefined
  const lengths = Array.from({ length: longestS }, (_, i) => i + 1)
  const fitting = lengths.filter((each) => fitsFromFirst(windows, each) || fitsGrid(windows, each))
  if (fitting.length !== 1) return undefined
  const [[first, ...others], [next]] = windows
  const last = others.at(-1) ?? first
  const seenS = (step: ToldStep) => plain((step.answer.receivedAt - first.answer.receivedAt) / 1000)
  const words = `what was left was whole again ${seenS(next)} s after the first request of a window, and not yet after ${seenS(last)} s`
  return { is: fitting[0] * 1000, because: `${words}; Reset was ${plain(first.aheadS)} s ahead` }
}
