import type { Family } from '../../../limiter-families.js'
import type { Timeline } from '../../../model.js'

/** How many admissions had been received by a moment: the count of the last kept record, or of the next one. */
const countBy = (admissions: Timeline['admissions'], at: number, rounding: 'last' | 'next'): number => {
  let low = 0
  let high = admissions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((admissions[middle]?.[0] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  if (rounding === 'last') return admissions[low - 1]?.[1] ?? 0
  return (admissions[low] ?? admissions.at(-1))?.[1] ?? 0
}

/** The longest that an answer took. */
const longestMs = (timeline: Timeline): number =>
  timeline.points.reduce((most, [sent, received]) => Math.max(most, received === null ? 0 : received - sent), 0)

/**
 * The most that could have been admitted by each moment of `at`, given what was admitted before: what each family of
 * limiters allows, never less. Only receipts are known, so a request counts as decided up to the longest delay before.
 *
 * - log: L in any window
 * - bucket: L, and L more each window, evenly
 * - windows: 2 L in any stretch as long as a window, since two windows may meet in it
 */
export const ceilings = (timeline: Timeline, at: readonly number[]): Readonly<Record<Family, number[]>> => {
  const { admissions, limit, windowMs } = timeline
  const slackMs = longestMs(timeline)
  const sentBy = (moment: number) => countBy(admissions, moment + slackMs, 'next')
  const start = timeline.points[0]?.[0] ?? admissions[0]?.[0] ?? 0
  const before = (moment: number) => (moment - windowMs < start ? 0 : sentBy(moment - windowMs))
  let spare = -start
  let next = 0
  const bucket = at.map((moment) => {
    for (; next < admissions.length && (admissions[next]?.[0] ?? 0) <= moment; next += 1) {
      const since = admissions[next]?.[0] ?? 0
      spare = Math.min(spare, (sentBy(since) * windowMs) / limit - since)
    }
    return limit + ((spare + moment) * limit) / windowMs
  })
  return {
    log: at.map((moment) => before(moment) + limit),
    bucket,
    windows: at.map((moment) => before(moment) + 2 * limit),
  }
}

/** How many were received within the window that ends at the moment. */
export const admittedWithinWindow = (timeline: Timeline, moment: number): number =>
  countBy(timeline.admissions, moment, 'last') - countBy(timeline.admissions, moment - timeline.windowMs, 'last')
