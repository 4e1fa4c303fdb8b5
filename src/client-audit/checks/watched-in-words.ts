import type { WatchedWaits } from '../waits/watched-waits.js'
import { durationOf } from './in-words.js'

/** A cap that many a client has, and the watch that is long enough to see it. */
const usualCap = { inWords: '5 minutes', watchSeconds: 310 }

const watchTheCap = (watchedMs: number): string =>
  watchedMs < usualCap.watchSeconds * 1000 - 5_000
    ? ` --watch ${usualCap.watchSeconds} looks for a cap of ${usualCap.inWords}.`
    : ''

/** How long named waits were watched, in half a sentence. Null where none was watched to its end. */
export const watchedBriefly = ({ toTheEndMs, cutOff }: WatchedWaits): string | null => {
  if (toTheEndMs === null) return null
  const longer = cutOff === null ? '' : `; of longer ones ${durationOf(cutOff.watchedMs)} were watched`
  return `waits of up to ${durationOf(toTheEndMs)} were watched to their end${longer}`
}

/** The same for who reads the grade: what a client may do that was not seen. */
export const watchedInFull = (watched: WatchedWaits): string | null => {
  const { toTheEndMs, cutOff } = watched
  const brief = watchedBriefly(watched)
  if (toTheEndMs === null || brief === null) return null
  if (cutOff === null)
    return `The longest wait that was watched to its end took ${durationOf(toTheEndMs)}: a client that cuts longer ones off is not seen.`
  const still = cutOff.stillWaits ? ', and it was still waiting then' : ''
  return `W${brief.slice(1)}${still}: a client that cuts them off later is not seen.${watchTheCap(cutOff.watchedMs)}`
}
