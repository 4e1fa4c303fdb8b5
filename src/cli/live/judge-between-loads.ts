import { type Judgement, type JudgingTime, leastQuietMs, workBetweenLoads } from './judgement.js'

/** How a run stands when it is asked whether to judge it. */
export interface JudgingMoment {
  /** What changes when there is more to be judged. */
  readonly evidence: string
  /** For how long no load can be under way, in milliseconds. */
  readonly quietMs: number
  /** Whether anybody looks. */
  readonly isWatched: boolean
}

export interface JudgingWays<T> extends JudgingTime {
  readonly begin: () => Judgement<T>
  readonly show: (judged: T) => void
}

/** The least time from one judgement to the next, and how long it rests for each part of that it took. */
const leastBetweenMs = 3_000
const restPerWork = 4

/**
 * Judges a run on its way, one judgement at a time: only while somebody looks, only where there is something new, and
 * only while no load is under way. One that a load overtakes stands still until there is none.
 */
export const createJudging = <T>({ begin, show, ...time }: JudgingWays<T>) => {
  let underWay: ReturnType<typeof workBetweenLoads> | undefined
  let notBefore = Number.NEGATIVE_INFINITY
  let judged: string | undefined
  let isOver = false

  const judge = async ({ evidence, quietMs }: JudgingMoment): Promise<void> => {
    const judgement = begin()
    const work = workBetweenLoads(judgement, time)
    underWay = work
    work.workFor(quietMs)
    const parts = await judgement.result
    underWay = undefined
    notBefore = time.nowMs() + Math.max(leastBetweenMs, restPerWork * work.conclude())
    if (isOver || parts === undefined) return
    judged = evidence
    show(parts)
  }

  return {
    /** To be called when something happened, and now and then. Resolves when what it began is over. */
    async look(moment: JudgingMoment): Promise<void> {
      const { evidence, quietMs, isWatched } = moment
      if (underWay) return underWay.workFor(quietMs)
      const isWorth = isWatched && evidence !== judged && time.nowMs() >= notBefore && quietMs > leastQuietMs
      if (!isOver && isWorth) await judge(moment)
    },
    /** Gives up what is under way; nothing is judged any more. */
    end(): void {
      isOver = true
      underWay?.giveUp()
    },
  }
}
