import { comesAtOnce } from './at-once.js'
import type { AttemptWaits } from './waits.js'

/** Fewer plays tell nothing of jitter, nor of medians. */
export const fewestPlays = 8
/** The share of its median, and the milliseconds, beyond which the same attempt's waits spread. */
export const leastSpread = 0.05
export const leastSpreadMs = 30
/** A spread that is not so many times what the control is usually late by proves nothing. */
const timesNoise = 2

/** How far the waits of one attempt lie apart. */
export interface JitterSpread {
  /** From 1. */
  readonly attempt: number
  readonly plays: number
  readonly medianMs: number
  readonly spreadMs: number
  /** `unclear`: the machine alone may have spread them so far, or made waits of what came at once. */
  readonly jittered: 'yes' | 'no' | 'unclear'
}

/** Where there are more plays than are needed, the longest wait is left out: a process that stalled is no jitter. */
const spreadOf = ({ waitsMs, medianMs }: AttemptWaits, index: number, lateMs: number): JitterSpread => {
  const kept = waitsMs.length > fewestPlays ? waitsMs.slice(0, -1) : waitsMs
  const spreadMs = kept[kept.length - 1] - kept[0]
  const spread = spreadMs > leastSpreadMs && spreadMs > leastSpread * medianMs
  const isWait = comesAtOnce({ waitsMs, medianMs }, lateMs) === 'no'
  const jittered = !isWait ? 'unclear' : !spread ? 'no' : spreadMs > timesNoise * lateMs ? 'yes' : 'unclear'
  return { attempt: index + 1, plays: kept.length, medianMs, spreadMs, jittered }
}

/**
 * The spread of each wait that at least eight plays have made; an attempt that comes at once is none. `lateMs`: what the
 * control is usually late by.
 */
export const spreadsOf = (attempts: readonly AttemptWaits[], lateMs: number): readonly JitterSpread[] =>
  attempts.flatMap((each, index) =>
    each.waitsMs.length >= fewestPlays && comesAtOnce(each, lateMs) !== 'yes' ? [spreadOf(each, index, lateMs)] : [],
  )

/** Whether a client jitters its own waits, and the attempt that shows it. */
export type Jitter =
  | { readonly kind: 'yes' | 'no' | 'unclear'; readonly shown: JitterSpread }
  | { readonly kind: 'too-few-plays' }

/**
 * It does where at least half of its waits spread; one alone may be the machine's doing, which holds all plays up
 * in the same moment, so where no other spreads for certain it shows jitter only beyond the most that the control was late
 * by. Where only the machine's stalls stand between yes and no, it is unclear.
 */
export const jitterOf = (spreads: readonly JitterSpread[], mostLateMs: number): Jitter => {
  const [first] = spreads
  if (!first) return { kind: 'too-few-plays' }
  const share = (...kinds: readonly JitterSpread['jittered'][]) =>
    spreads.filter(({ jittered }) => kinds.includes(jittered)).length / spreads.length
  const certain = spreads.filter(({ jittered }) => jittered === 'yes')
  const isBeyondStalls = certain.length > 1 || certain.some(({ spreadMs }) => spreadMs > timesNoise * mostLateMs)
  if (share('yes') >= 0.5) return { kind: isBeyondStalls ? 'yes' : 'unclear', shown: certain[0] }
  const kind = share('yes', 'unclear') >= 0.5 ? 'unclear' : 'no'
  return { kind, shown: spreads.find(({ jittered }) => jittered === kind) ?? first }
}
