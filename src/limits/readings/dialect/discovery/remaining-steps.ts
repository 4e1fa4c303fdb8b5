import { numberOf } from '../../header-values.js'
import type { ValuesOf } from '../named-fields.js'
import { valuesOfHeaders } from '../named-fields.js'
import type { LimitReading } from '../read-limits.js'
import type { SeenAnswer } from './seen-answer.js'

/** An answer that showed what is left. */
export interface Step {
  readonly answer: SeenAnswer
  readonly remaining: number
  readonly limit: number | undefined
  /** How far ahead the reset was, in seconds, and its moment in seconds since the epoch on the client's clock. */
  readonly aheadS: number | undefined
  readonly resetAtS: number | undefined
  /** The reset names a moment, as no reset from now does. */
  readonly isMoment: boolean
}

/** The answers that showed what is left of a quota, in order. */
export const stepsOf = (
  answers: readonly SeenAnswer[],
  read: (valuesOf: ValuesOf) => LimitReading,
  wallStartMs: number,
): Step[] =>
  answers.flatMap((answer) => {
    const { limit, remaining, reset } = read(valuesOfHeaders(answer.headers))
    const left = numberOf(remaining)
    if (left === undefined) return []
    const seenAtS = (wallStartMs + answer.receivedAt) / 1000
    const isMoment = reset.state === 'number' && reset.from === 'epoch'
    const resetAtS = reset.state === 'number' ? reset.value + (isMoment ? 0 : seenAtS) : undefined
    const aheadS = resetAtS === undefined ? undefined : resetAtS - seenAtS
    return [{ answer, remaining: left, limit: numberOf(limit), aheadS, resetAtS, isMoment }]
  })

/** Who asked, and for what. */
export type Stream = (answer: SeenAnswer) => boolean

const median = (values: readonly number[]): number | undefined => values.toSorted((a, b) => a - b)[values.length >> 1]

/** What a request of a stream takes off what is left: the median of its falls from one answer to the very next. */
export const costOf = (steps: readonly Step[], stream: Stream): number | undefined =>
  median(
    steps.flatMap((step, at) => {
      const before = steps[at - 1]
      if (!before || !stream(before.answer) || !stream(step.answer)) return []
      // A rise is a new window, or what came back: it tells nothing of the cost.
      return step.remaining > before.remaining ? [] : [before.remaining - step.remaining]
    }),
  )

/** What happened between two answers of one stream with another's between them. */
export interface Interlude {
  readonly from: number
  readonly to: number
  /** How often the other stream asked. */
  readonly others: number
}

const interludes = (steps: readonly Step[], one: Stream, other: Stream): Interlude[] => {
  const found: Interlude[] = []
  let last = -1
  for (const [at, step] of steps.entries()) {
    if (!one(step.answer)) continue
    const between = last < 0 ? [] : steps.slice(last + 1, at)
    if (between.length > 0 && between.every(({ answer }) => other(answer)) && step.remaining <= steps[last].remaining) {
      found.push({ from: steps[last].remaining, to: step.remaining, others: between.length })
    }
    last = at
  }
  return found
}

/**
 * Whether two streams are counted together: whether what is left for one falls when the other asks. Undefined where no
 * answer tells.
 */
export const areShared = (
  steps: readonly Step[],
  one: Stream,
  other: Stream,
): { readonly shared: boolean; readonly seen: Interlude } | undefined => {
  const own = costOf(steps, one) ?? 1
  const others = costOf(steps, other) ?? 1
  if (own === 0 || others === 0) return undefined
  const [seen] = interludes(steps, one, other)
  if (!seen) return undefined
  const fell = seen.from - seen.to
  return { shared: Math.abs(fell - own - seen.others * others) < Math.abs(fell - own), seen }
}
