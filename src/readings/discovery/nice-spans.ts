const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Windows that people choose, in milliseconds. */
const niceSpans: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * second),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 7, 30, 31].map((count) => count * day),
]

/** The window that people choose which is this one, but for rounding; undefined where none is. */
export const niceSpanMs = (ms: number, marginMs = 1): number | undefined =>
  niceSpans.find((span) => Math.abs(span - ms) <= marginMs)

/** The shortest window that people choose which is no shorter than this. */
export const nextNiceSpanMs = (ms: number): number | undefined => niceSpans.find((span) => span >= ms)

/** The windows that people choose, the shortest first. */
export const spansFrom = (ms: number): readonly number[] => niceSpans.filter((span) => span >= ms)
