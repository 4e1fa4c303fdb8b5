import type { ClientEvidence } from './client-evidence.js'
import { type EarlyArrival, waitsKept } from './early-arrivals.js'
import type { Refusal, Story } from './story.js'

/** A date may be missed by its second (CLIENT-4). */
export const dateToleranceMs = 1_000

/** An early arrival, and the play it came in. */
export type EarlyOfStory = EarlyArrival & { readonly story: Story }

/** Whether a 429 names whole seconds, up to a day. */
export const asksForSeconds = ({ named, arrival }: Refusal): boolean =>
  named.kind === 'seconds' && arrival.status === 429

/** Whether a refusal names a date that is to come, in the one form that servers may send (IMF-fixdate). */
export const asksForDate = ({ named }: Refusal): boolean => named.kind === 'date'

/** Whether any refusal named such a date. */
export const dateWasNamed = (stories: readonly Story[]): boolean =>
  stories.some(({ refusals }) => refusals.some(asksForDate))

const earlyOn =
  (asks: (refusal: Refusal) => boolean, toleranceMs: number) =>
  ({ stories, noise }: ClientEvidence): readonly EarlyOfStory[] =>
    stories.flatMap((story) => waitsKept(story, asks, noise, toleranceMs).early.map((each) => ({ ...each, story })))

/** What came early after a 429 that named seconds. */
export const earlyOnSeconds = earlyOn(asksForSeconds, 0)

/** What came more than a second before a date that it was told. */
export const earlyOnDate = earlyOn(asksForDate, dateToleranceMs)
