/** How a run stands when it is asked whether to judge it. */
export interface JudgingMoment {
  /** What changes when there is more to be judged. */
  readonly evidence: string
  /** For how long no load can be under way, in milliseconds. */
  readonly quietMs: number
  /** Whether anybody looks. */
  readonly isWatched: boolean
}

/** A judgement that was begun. */
export interface Judgement<T> {
  /** Undefined where nothing came of it. Never rejects. */
  readonly result: Promise<T | undefined>
  /** Has it stand still, or gives it up where it can't. */
  pause(): void
  goOn(): void
  giveUp(): void
}

export interface JudgingWays<T> {
  readonly begin: () => Judgement<T>
  readonly show: (judged: T) => void
  /** Milliseconds that never step back. */
  readonly nowMs: () => number
  /** Calls after so many milliseconds, unless it is told not to. */
  readonly after: (ms: number, call: () => void) => () => void
}

/** A shorter stretch without load is not worth beginning. */
const leastQuietMs = 1_000

/** The least time from one judgement to the next, and how long it rests for each part of that it took. */
const leastBetweenMs = 3_000
const restPerWork = 4

/** The longest delay that a timer keeps. */
const longestMs = 2 ** 31 - 1

/**
 * Judges a run on its way, one judgement at a time: only while somebody looks, only where there is something new, and
 * only while no load is under way. One that a load overtakes stands still until there is none.
 */
export const createJudging = <T>({ begin, show, nowMs, after }: JudgingWays<T>) => {
  let underWay: { readonly judgement: Judgement<T>; goingSince: number | undefined } | undefined
  let workMs = 0
  let notBefore = Number.NEGATIVE_INFINITY
  let judged: string | undefined
  let isOver = false
  let cancel = () => {}

  const pause = (): void => {
    cancel()
    if (underWay?.goingSince === undefined) return
    workMs += nowMs() - underWay.goingSince
    underWay.goingSince = undefined
    underWay.judgement.pause()
  }

  /** Lets it work until a load may begin, whether or not anything tells of that. */
  const workFor = (quietMs: number): void => {
    cancel()
    cancel = after(Math.min(quietMs, longestMs), pause)
  }

  const conclude = async (evidence: string, { result }: Judgement<T>): Promise<void> => {
    const parts = await result
    cancel()
    if (underWay?.goingSince !== undefined) workMs += nowMs() - underWay.goingSince
    underWay = undefined
    notBefore = nowMs() + Math.max(leastBetweenMs, restPerWork * workMs)
    if (isOver || parts === undefined) return
    judged = evidence
    show(parts)
  }

  return {
    /** To be called when something happened, and now and then. Resolves when what it began is over. */
    async look({ evidence, quietMs, isWatched }: JudgingMoment): Promise<void> {
      if (underWay) {
        if (quietMs <= 0) pause()
        else if (underWay.goingSince !== undefined) workFor(quietMs)
        else if (quietMs > leastQuietMs) {
          underWay.goingSince = nowMs()
          underWay.judgement.goOn()
          workFor(quietMs)
        }
        return
      }
      const isWorth = isWatched && evidence !== judged && nowMs() >= notBefore && quietMs > leastQuietMs
      if (isOver || !isWorth) return
      workMs = 0
      const judgement = begin()
      underWay = { judgement, goingSince: nowMs() }
      workFor(quietMs)
      await conclude(evidence, judgement)
    },
    /** Gives up what is under way; nothing is judged any more. */
    end(): void {
      isOver = true
      cancel()
      underWay?.judgement.giveUp()
    },
  }
}
