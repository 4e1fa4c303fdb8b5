import type { Trial } from '../../src/cli/keystone/play-trial.js'

/** What may stand between a trial and its target. */
export type FrontName = 'slow' | 'delayed'

export interface StressTrial extends Trial {
  /** Nothing unless told. */
  readonly front?: FrontName
}

/** Where the matrix is played. */
export const conditionNames = ['quiet', 'crowded', 'slow', 'delayed'] as const
export type ConditionName = (typeof conditionNames)[number]

interface Condition {
  readonly sentence: string
  readonly front?: FrontName
  /** Whether busy processes run at the same time. */
  readonly isCrowded: boolean
  /** Trials in parallel, few enough to keep the condition true: see each. */
  readonly atOnce: number
  /** The share of faults that have to come out red. */
  readonly leastRed: number
}

export const conditions: Readonly<Record<ConditionName, Condition>> = {
  quiet: {
    sentence: 'nothing beside the other trials',
    isCrowded: false,
    // As many as the kill matrix has.
    atOnce: 20,
    leastRed: 0.97,
  },
  crowded: {
    sentence: 'beside three busy processes for each processor: six on two',
    isCrowded: true,
    // The busy processes leave a quarter of each processor; two trials take 0.14 of it, so they are no crowd themselves.
    atOnce: 4,
    leastRed: 0.9,
  },
  slow: {
    sentence: 'against a target that answers 200 a second at most',
    front: 'slow',
    isCrowded: false,
    // A trial with its target takes 0.12 of a processor here: these leave half of two idle, so that only the target is slow.
    atOnce: 8,
    leastRed: 0.9,
  },
  delayed: {
    sentence: 'through 40 to 160 ms of random delay, half of it each way',
    front: 'delayed',
    isCrowded: false,
    // As above, with 0.07 of a processor each: here they wait more.
    atOnce: 14,
    leastRed: 0.9,
  },
}
