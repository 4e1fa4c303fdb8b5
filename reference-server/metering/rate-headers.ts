import type { Ruling, WindowState } from './ruling.js'

/** The three headers that every answer carries (§8.1), or what stands in their place. Made anew for each answer. */
export type RateHeaders = Record<string, string | readonly string[]>

/** Shows one window. Reset is a Unix timestamp in whole seconds, rounded up, so that it is never too early. */
export const rateHeaders = ({ window, remaining, resetMs }: WindowState): RateHeaders => ({
  'X-RateLimit-Limit': String(window.limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
})

/** The seconds to wait: whole ones, rounded up, at least 1 (RFC 9110 §10.2.3). */
export const retryAfterSeconds = ({ retryAfterMs }: Ruling): number => Math.max(1, Math.ceil(retryAfterMs / 1000))
