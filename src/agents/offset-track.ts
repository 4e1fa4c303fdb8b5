import type { ClockReading } from './messages.js'

/** Two clocks drift apart by no more than this share of the time that passes: 100 ppm, 0.5 ms in 5 s. */
export const driftShare = 1e-4

/** By how much the coordinator's clock is ahead of an agent's at a moment, and by how much that may be wrong. */
export interface Offset {
  readonly ms: number
  readonly errorMs: number
  /** False where the clocks moved apart by more than they may: the error then has room for the whole move. */
  readonly isKept: boolean
}

/** The offset at every moment of the agent's clock. */
export type OffsetTrack = (agentMs: number) => Offset

const overlap = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })
const hull = (a: Span, b: Span): Span => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) })

interface Span {
  readonly from: number
  readonly to: number
}

/** What a reading says of another moment: less, the farther away that is. */
const seenFrom = ({ atMs, fromMs, toMs }: ClockReading, ms: number): Span => {
  const drift = Math.abs(ms - atMs) * driftShare
  return { from: fromMs - drift, to: toMs + drift }
}

const asOffset = ({ from, to }: Span, isKept: boolean): Offset => ({
  ms: (from + to) / 2,
  errorMs: (to - from) / 2,
  isKept,
})

/**
 * The offset over time, from readings: at each moment it lies in what the readings before and after it both allow. Where
 * these contradict each other the clock has moved, at some moment in between, from somewhere in the one to somewhere in
 * the other. Undefined without a reading.
 */
export const offsetTrack = (readings: readonly ClockReading[]): OffsetTrack | undefined => {
  if (readings.length === 0) return undefined
  const sorted = [...readings].sort((a, b) => a.atMs - b.atMs)
  const last = sorted.length - 1
  let at = 0
  return (agentMs) => {
    // Rows come in order: the place is next to where the last one was, as a rule.
    while (at < last && sorted[at + 1].atMs <= agentMs) at += 1
    while (at > 0 && sorted[at].atMs > agentMs) at -= 1
    const before = sorted[at]
    const after = sorted[Math.min(at + 1, last)]
    if (before === after || agentMs < before.atMs) return asOffset(seenFrom(before, agentMs), true)
    // Whether the two agree does not depend on the moment between them.
    const met = overlap(seenFrom(before, after.atMs), { from: after.fromMs, to: after.toMs })
    const [one, other] = [seenFrom(before, agentMs), seenFrom(after, agentMs)]
    return met.from <= met.to ? asOffset(overlap(one, other), true) : asOffset(hull(one, other), false)
  }
}
