import { type Refusal, type Story, triesAgain } from '../story.js'
import { dateToleranceMs } from './seconds-and-dates.js'

/** Whether the client, refused with such a wait, was there to come again and did not. */
const gaveUp = (story: Story, asks: (refusal: Refusal) => boolean): boolean => {
  const { play, refusals } = story
  const [first] = refusals
  if (!first || !asks(first) || triesAgain(story) || play.end === 'interrupted') return false
  return play.end === 'exit' || ('untilMs' in first.named && play.endedAt > first.named.untilMs + 2 * dateToleranceMs)
}

/** The first play in which a client that does come back elsewhere gave up on such a wait. */
export const givesUpOn = (stories: readonly Story[], asks: (refusal: Refusal) => boolean): Story | undefined =>
  stories.some(triesAgain) && !stories.some((story) => story.refusals.some(asks) && triesAgain(story))
    ? stories.find((story) => gaveUp(story, asks))
    : undefined
