import type { QuotaWindow } from '../../readings/history.js'

/** The quota with another limit; what its bucket holds, where that is said, grows or shrinks along. */
export const withLimit = (window: QuotaWindow, limit: number): QuotaWindow => {
  const { burst } = window
  if (burst === undefined) return { ...window, limit }
  return { ...window, limit, burst: Math.max(1, Math.round((burst * limit) / window.limit)) }
}

/** The quota with one more, or one fewer, at once: of a bucket that is said apart only what it holds changes. */
export const offBy = (window: QuotaWindow, by: number): QuotaWindow =>
  window.burst === undefined ? { ...window, limit: window.limit + by } : { ...window, burst: window.burst + by }

/** The most at once. */
export const mostAtOnce = ({ limit, burst = limit }: QuotaWindow): number => burst
