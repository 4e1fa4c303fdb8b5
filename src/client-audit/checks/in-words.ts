import { formatDuration } from '../../kit/words.js'
import type { Amiss } from '../waits/early-arrivals.js'
import type { WatchedWaits } from '../waits/seconds-and-dates.js'

export const durationOf = (ms: number): string => (ms < 1 ? '0 ms' : formatDuration(ms))

/** "all 23 waits", or "the one wait". */
export const allOf = (count: number, noun: string): string =>
  count === 1 ? `the one ${noun}` : `all ${count} ${noun}s`

/** Advice on a client; `ifItStands` if a stall of the machine left it open, and another audit would settle it. */
export type Mend = string | { readonly ifItStands: string }

export type MendsOf<Sentences> = {
  readonly [Code in keyof Sentences]?: Sentences[Code] extends (facts: infer F) => string ? (facts: F) => Mend : never
}

/** In words: what a case asked for, what came, and that this does not test it. */
export const amissInWords = (amiss: Amiss): string => {
  if (amiss.kind === 'nothing') return 'nothing came: not tested'
  if (amiss.kind === 'operation') return `asked for ${amiss.asked}, got ${amiss.came}: not tested`
  if (amiss.kind === 'requests') return `asked for ${amiss.asked} requests, got ${amiss.came}: not tested`
  return `asked for ${amiss.asked} workers, got one: not tested`
}

/** A common cap of clients, and a watch that is long enough to see it. */
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

/** The same for readers of the grade: what the client may do that was not seen. */
export const watchedInFull = (watched: WatchedWaits): string | null => {
  const { toTheEndMs, cutOff } = watched
  const brief = watchedBriefly(watched)
  if (toTheEndMs === null || brief === null) return null
  if (cutOff === null)
    return `The longest wait that was watched to its end took ${durationOf(toTheEndMs)}: a client that cuts longer waits off would look the same.`
  const still = cutOff.stillWaits ? ', and it was still waiting then' : ''
  return `W${brief.slice(1)}${still}: a client that cuts them off later would look the same.${watchTheCap(cutOff.watchedMs)}`
}
