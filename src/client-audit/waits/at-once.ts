import { underWayMs } from './foreknowledge.js'
import type { Noise } from './noise.js'
import type { Story } from './story.js'
import { type AttemptWaits, mostNoise } from './waits.js'

/** A gap below this is no wait at all: its client chose none. */
export const atOnceMs = 100

/**
 * Whether an attempt came at once, by the median over the plays. `unclear`: what the machine was usually late by may have
 * made a wait of it.
 */
export const comesAtOnce = ({ medianMs }: AttemptWaits, lateMs: number): 'yes' | 'no' | 'unclear' =>
  medianMs < atOnceMs ? 'yes' : medianMs < atOnceMs + lateMs ? 'unclear' : 'no'

/** Whether the client sent several requests at once where it was asked for one: its waits are then told apart by guess. */
export const waitsOverlap = (stories: readonly Story[]): boolean =>
  stories.some(({ workers, play }) => workers > play.asked.workers)

/** A guess that the machine has upset: what shared a moment was told from the rest by no more than it was late. */
export const guessIsUpset = (
  { stories, noise }: { readonly stories: readonly Story[]; readonly noise: Noise },
  own: readonly Story[],
): boolean => waitsOverlap(stories) && mostNoise({ noise }, own) >= underWayMs
