/** A judgement that was begun. */
export interface Judgement<T> {
  /** Undefined where nothing came of it. Never rejects. */
  readonly result: Promise<T | undefined>
  /** Has it stand still, or gives it up where it can't. */
  pause(): void
  goOn(): void
  giveUp(): void
}

/** What time is told by, and waited for. */
export interface JudgingTime {
  /** Milliseconds that never step back. */
  readonly nowMs: () => number
  /** Calls after so many milliseconds, unless it is told not to. */
  readonly after: (ms: number, call: () => void) => () => void
}

/** A shorter stretch without load is not worth beginning, in milliseconds. */
export const leastQuietMs = 1_000

/** The longest delay that a timer keeps. */
const longestMs = 2 ** 31 - 1

/** A judgement that works while no load is under way, and stands still otherwise; it was just begun. */
export const workBetweenLoads = (judgement: Judgement<unknown>, { nowMs, after }: JudgingTime) => {
  let workedMs = 0
  let goingSince: number | undefined = nowMs()
  let cancel = () => {}

  const pause = (): void => {
    cancel()
    if (goingSince === undefined) return
    workedMs += nowMs() - goingSince
    goingSince = undefined
    judgement.pause()
  }

  return {
    /** Lets it work until a load may begin, whether or not anything tells of that. */
    workFor(quietMs: number): void {
      if (quietMs <= 0) {
        pause()
        return
      }
      if (goingSince === undefined) {
        if (quietMs <= leastQuietMs) return
        goingSince = nowMs()
        judgement.goOn()
      }
      cancel()
      cancel = after(Math.min(quietMs, longestMs), pause)
    },
    /** To be called when it is over: for how many milliseconds it worked. */
    conclude(): number {
      cancel()
      return workedMs + (goingSince === undefined ? 0 : nowMs() - goingSince)
    },
    giveUp(): void {
      cancel()
      judgement.giveUp()
    },
  }
}
