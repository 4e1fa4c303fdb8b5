/** How a run stands when it is asked whether to judge it. */
export interface JudgingMoment {
  /** What changes when there is more to be judged. */
  readonly evidence: string
  /** For how long no load can be under way, in milliseconds. */
  readonly quietMs: number
  /** Whether anybody looks. */
  readonly isWatched: boolean
}

export interface JudgingWays<T> {
  /** Judges what is there. Resolves to undefined where nothing came of it; has no more than so many milliseconds. */
  readonly judge: (withinMs: number, signal: AbortSignal) => Promise<T | undefined>
  readonly show: (judged: T) => void
  /** Milliseconds that never step back. */
  readonly nowMs: () => number
}

/** The least time from one judgement to the next, and how long it rests for each part of that it worked. */
const leastBetweenMs = 3_000
const restPerWork = 4

/** How long the first judgement is taken to last, and how much longer than the last one the next may be. */
const firstGuessMs = 1_500
const margin = 1.5

/**
 * Judges a run on its way, one judgement at a time: only while somebody looks, only where there is something new, and
 * only where it can end before a load may begin. One that a load overtakes is given up at once.
 */
export const createJudging = <T>({ judge, show, nowMs }: JudgingWays<T>) => {
  const ending = new AbortController()
  let underWay: AbortController | undefined
  let lastMs = firstGuessMs
  let notBefore = Number.NEGATIVE_INFINITY
  let judged: string | undefined

  const begin = async ({ evidence, quietMs }: JudgingMoment): Promise<void> => {
    const startedAt = nowMs()
    underWay = new AbortController()
    const signal = AbortSignal.any([underWay.signal, ending.signal])
    const result = await judge(quietMs, signal).catch(() => undefined)
    underWay = undefined
    const tookMs = nowMs() - startedAt
    notBefore = nowMs() + Math.max(leastBetweenMs, restPerWork * tookMs)
    if (signal.aborted || result === undefined) return
    lastMs = tookMs
    judged = evidence
    show(result)
  }

  return {
    /** To be called when something happened, and now and then. Resolves when what it began is over. */
    async look(moment: JudgingMoment): Promise<void> {
      if (underWay) {
        if (moment.quietMs <= 0) underWay.abort()
        return
      }
      const isNew = moment.isWatched && moment.evidence !== judged && nowMs() >= notBefore
      if (isNew && !ending.signal.aborted && moment.quietMs > lastMs * margin) await begin(moment)
    },
    /** Gives up what is under way; nothing is judged any more. */
    end: () => ending.abort(),
  }
}
