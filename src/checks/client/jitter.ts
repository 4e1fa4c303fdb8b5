import type { AttemptWaits } from './waits.js'

/** Fewer plays tell nothing of jitter, nor of medians. */
export const fewestPlays = 8
const leastSpread = 0.05
const leastSpreadMs = 30

/** How far the waits of one attempt lie apart. */
export interface Spread {
  /** From 1. */
  readonly attempt: number
  readonly plays: number
  readonly medianMs: number
  readonly spreadMs: number
  readonly jittered: boolean
}

/** Where there are more plays than are needed, the longest wait is left out: a process that stalled is no jitter. */
const spreadOf = ({ waitsMs, medianMs }: AttemptWaits, index: number): Spread => {
  const kept = waitsMs.length > fewestPlays ? waitsMs.slice(0, -1) : waitsMs
  const spreadMs = kept[kept.length - 1] - kept[0]
  const jittered = spreadMs > leastSpreadMs && spreadMs > leastSpread * medianMs
  return { attempt: index + 1, plays: kept.length, medianMs, spreadMs, jittered }
}

/** The spread of each attempt that at least eight plays have made. */
export const spreadsOf = (attempts: readonly AttemptWaits[]): readonly Spread[] =>
  attempts.flatMap((each, index) => (each.waitsMs.length >= fewestPlays ? [spreadOf(each, index)] : []))

/**
 * Whether a client jitters its own waits: at least half of its attempts spread. One alone may be the machine's doing,
 * which holds all plays up in the same moment. Undefined where too few plays have waited.
 */
export const isJittered = (spreads: readonly Spread[]): boolean | undefined =>
  spreads.length === 0 ? undefined : spreads.filter(({ jittered }) => jittered).length * 2 >= spreads.length
