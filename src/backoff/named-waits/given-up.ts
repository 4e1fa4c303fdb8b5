import type { ClientEvidence } from '../client-evidence.js'
import type { Noise } from '../noise.js'
import { type Refusal, type Story, triesAgain } from '../story.js'
import { stalls } from './foreknowledge.js'
import { dateToleranceMs } from './seconds-and-dates.js'

/** Whether the client, refused with such a wait, was there to come again and did not. */
const gaveUp = (story: Story, asks: (refusal: Refusal) => boolean, noise: Noise): boolean => {
  const { play, refusals } = story
  const [first] = refusals
  if (!first || !asks(first) || triesAgain(story) || play.end === 'interrupted') return false
  if (play.end === 'exit' || !('untilMs' in first.named)) return play.end === 'exit'
  const { untilMs } = first.named
  return play.endedAt > untilMs + 2 * dateToleranceMs + stalls * noise.mostMs(first.answeredAt, play.endedAt)
}

/** The first play in which a client that does come back elsewhere gave up on such a wait. */
export const givesUpOn = (
  { stories, noise }: ClientEvidence,
  asks: (refusal: Refusal) => boolean,
): Story | undefined =>
  stories.some(triesAgain) && !stories.some((story) => story.refusals.some(asks) && triesAgain(story))
    ? stories.find((story) => gaveUp(story, asks, noise))
    : undefined
