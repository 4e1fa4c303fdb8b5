import type { Ruling } from '../metering/ruling.js'
import { mostLeft } from '../metering/subject.js'
import type { Charge } from './shared-store.js'

/** What happens to requests while the store does not answer: `open` admits them uncounted, `closed` answers 503. */
export const storeFailures = ['closed', 'open'] as const

export type StoreFailure = (typeof storeFailures)[number]

/** How requests are ruled that nobody could count. What is left is not known: all of it is shown, or nothing. */
export const whenUnavailable =
  (failure: StoreFailure) =>
  (charges: readonly Charge[], nowMs: number): Ruling => ({
    outcome: failure === 'open' ? 'admitted' : 'unavailable',
    retryAfterMs: 0,
    windows: charges
      .flatMap(({ subject }) => subject.windows)
      .map((window) => ({
        window,
        remaining: failure === 'open' ? mostLeft(window) : 0,
        resetMs: nowMs + window.lengthMs,
        refused: false,
      })),
    uncounted: true,
  })
