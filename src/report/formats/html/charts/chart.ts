/** How a series is drawn, and which of the page's colours it takes. */
export interface Series {
  readonly label: string
  readonly mark: 'line' | 'steps' | 'dots' | 'bars'
  readonly tone: 'admitted' | 'refused' | 'unknown' | 'limit' | 'over' | 'log' | 'bucket' | 'windows'
  readonly dashed: boolean
  readonly values: readonly (number | null)[]
}

/** A moment that is marked over the whole height. */
export interface Moment {
  readonly at: number
  readonly kind: 'reset' | 'retry' | 'witness'
}

/** A chart as data: drawn as a picture, and told as a table, from which the page's script tells the values under the pointer. */
export interface Chart {
  readonly id: string
  readonly title: string
  /** A sentence that says how to read it. */
  readonly how: string
  /** Seconds since the run's start, rising; every series has a value for each. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly moments: readonly Moment[]
  /** A word at the point that the chart is about. */
  readonly label?: { readonly x: number; readonly y: number; readonly text: string } | undefined
}

export const momentWords = {
  reset: 'Reset that the target named',
  retry: 'End of a wait that Retry-After named',
  witness: 'Shows that the limit is not kept',
} as const

/** Thousandths are enough for a time in seconds, and keep the file small. */
export const seconds = (ms: number): number => Math.round(ms) / 1000

/**
 * At most `most` items, first and last included, and of each stretch between them the lowest and the highest by
 * `value`: no extreme is lost.
 */
export const thin = <T>(items: readonly T[], most: number, value: (item: T) => number): T[] => {
  if (items.length <= most) return [...items]
  const size = Math.ceil((items.length * 2) / (most - 2))
  const kept = new Set<number>([0, items.length - 1])
  for (let from = 0; from < items.length; from += size) {
    let low = from
    let high = from
    for (let at = from; at < Math.min(from + size, items.length); at += 1) {
      if (value(items[at] as T) < value(items[low] as T)) low = at
      if (value(items[at] as T) > value(items[high] as T)) high = at
    }
    kept.add(low).add(high)
  }
  return [...kept].sort((a, b) => a - b).map((at) => items[at] as T)
}
