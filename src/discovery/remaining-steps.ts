import type { HeaderLine } from '../evidence/exchange.js'
import { type AnswerReading, numberOf } from '../readings/limit-values.js'
import type { SeenAnswer } from './seen-fields.js'

export type Step = ReturnType<typeof stepsOf>[number]

/**
 * The responses that showed what is left of a quota, in order. `aheadS`: how far ahead the reset was, in seconds;
 * `resetAtS`: the reset in seconds since the epoch, by the client's clock; `isMoment`: it is a point in time, not a delta.
 */
export const stepsOf = (
  answers: readonly SeenAnswer[],
  read: (headers: readonly HeaderLine[]) => AnswerReading,
  wallStartMs: number,
) =>
  answers.flatMap((answer) => {
    const { limit, remaining, reset } = read(answer.headers)
    const left = numberOf(remaining)
    if (left === undefined) return []
    const seenAtS = (wallStartMs + answer.receivedAt) / 1000
    const isMoment = reset.state === 'number' && reset.from !== 'now'
    const resetAtS = reset.state === 'number' ? reset.value + (isMoment ? 0 : seenAtS) : undefined
    const aheadS = resetAtS === undefined ? undefined : resetAtS - seenAtS
    return [{ answer, remaining: left, limit: numberOf(limit), aheadS, resetAtS, isMoment }]
  })

export type Stream = (answer: SeenAnswer) => boolean

const median = (values: readonly number[]): number | undefined => values.toSorted((a, b) => a - b)[values.length >> 1]

/** How much a request of a stream costs: the median of the falls from one response to the very next. */
export const costOf = (steps: readonly Step[], stream: Stream): number | undefined =>
  median(
    steps.flatMap((step, at) => {
      const before = steps[at - 1]
      if (!before || !stream(before.answer) || !stream(step.answer)) return []
      // A rise is a new window or returned quota, and says nothing about the cost.
      return step.remaining > before.remaining ? [] : [before.remaining - step.remaining]
    }),
  )

/** Two consecutive responses, of two streams. `own`: what the second stream showed last before, if it was asked. */
export type Switch = ReturnType<typeof switches>[number]

const switches = (steps: readonly Step[], one: Stream, other: Stream) =>
  steps.flatMap((to, at) => {
    const from = steps[at - 1]
    if (!from) return []
    const turns = (one(from.answer) && other(to.answer)) || (other(from.answer) && one(to.answer))
    const isSame = one(to.answer) ? one : other
    return turns ? [{ from, to, own: steps.slice(0, at).findLast(({ answer }) => isSame(answer)) }] : []
  })

/** Seconds are whole, and a delta is off by the response's time on the way. */
const sameResetS = 1.1

/** Whether no window renewed between two responses, by their resets. */
const isSameWindow = ({ resetAtS: one }: Step, { resetAtS: other }: Step): boolean =>
  one === undefined || other === undefined || Math.abs(one - other) <= sameResetS

/** What a switch shows: counted together, counted separately or, if a window may have renewed, neither. */
const toldBy = ({ from, to, own }: Switch, cost: number): boolean | undefined => {
  const near = (left: number | undefined) => left !== undefined && Math.abs(left - cost - to.remaining) < cost / 2
  // Within a window nothing else took quota: the other stream's value may look like the next one only by chance.
  if (own !== undefined && near(own.remaining) && isSameWindow(own, to)) return false
  return near(from.remaining) && isSameWindow(from, to) ? true : undefined
}

/**
 * Whether two streams are counted together: whether a response of one continues from what the other showed, or from what
 * it showed itself. Undefined if no response shows it, or if they contradict each other.
 */
export const areShared = (steps: readonly Step[], one: Stream, other: Stream) => {
  const [own, others] = [costOf(steps, one) ?? 1, costOf(steps, other) ?? 1]
  if (own === 0 || others === 0) return undefined
  const told = switches(steps, one, other).flatMap((seen) => {
    const shared = toldBy(seen, one(seen.to.answer) ? own : others)
    return shared === undefined ? [] : [{ shared, seen }]
  })
  return new Set(told.map(({ shared }) => shared)).size === 1 ? told.at(-1) : undefined
}
