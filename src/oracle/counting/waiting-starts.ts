import type { Span } from './disjoint-spans.js'

/** The most intervals that are followed within one W. Beyond it neighbours are joined, which only helps the target. */
const mostIntervals = 1024

/**
 * Intervals in which a window can start, taken in ascending order. What is added starts W or more after what was taken
 * last, so that the intervals of one W can be sorted and joined before the first of them is taken. With W = 60 s: after
 * [0, 1] s was taken, [60, 61] s and [70, 70.3] s are added, which are both of the second minute.
 */
export class WaitingStarts {
  private readonly slabs = new Map<number, Span[]>()
  private ready: Span[] = []
  private taken = 0

  constructor(private readonly lengthMs: number) {}

  addAll(stretches: Iterable<Span>): void {
    for (const each of stretches) this.add(each)
  }

  /** The next one, or undefined where none is left. */
  next(): Span | undefined {
    if (this.taken === this.ready.length) this.prepare()
    return this.ready[this.taken++]
  }

  private add(stretch: Span): void {
    const slab = Math.floor(stretch.from / this.lengthMs)
    const waiting = this.slabs.get(slab)
    if (waiting) waiting.push(stretch)
    else this.slabs.set(slab, [stretch])
  }

  private prepare(): void {
    this.ready = []
    this.taken = 0
    if (this.slabs.size === 0) return
    const first = Math.min(...this.slabs.keys())
    const sorted = (this.slabs.get(first) ?? []).sort((a, b) => a.from - b.from)
    this.slabs.delete(first)
    let merged = mergedOf(sorted, 0)
    for (let gap = this.lengthMs / (4 * mostIntervals); merged.length > mostIntervals; gap *= 2)
      merged = mergedOf(merged, gap)
    this.ready = merged
  }
}

/** Ascending intervals, those that lie no further apart than `gap` joined. */
const mergedOf = (ascending: readonly Span[], gap: number): Span[] => {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of ascending) {
    const last = merged.at(-1)
    if (last && from <= last.to + gap) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}
