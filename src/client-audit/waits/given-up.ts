import type { ClientEvidence } from './client-evidence.js'
import { stalls } from './foreknowledge.js'
import type { Noise } from './noise.js'
import { dateToleranceMs } from './seconds-and-dates.js'
import { type Refusal, type Story, triesAgain } from './story.js'

/** Whether the client, refused with such a wait, was there to come again and did not. */
const gaveUp = (story: Story, asks: (refusal: Refusal) => boolean, noise: Noise): boolean => {
  const { play, refusals } = story
  const [first] = refusals
  if (!first || !asks(first) || triesAgain(story) || play.end === 'interrupted') return false
  if (play.end === 'exit' || !('untilMs' in first.named)) return play.end === 'exit'
  const { untilMs } = first.named
  return play.endedAt > untilMs + 2 * dateToleranceMs + stalls * noise.mostMs(first.answeredAt, play.endedAt)
}

/** How long the first wait was that a play named, in ms. */
const firstNamedMs = ({ refusals: [first] }: Story): number =>
  first && 'untilMs' in first.named ? first.named.untilMs - first.answeredAt : 0

/**
 * The first play in which a client that does come back elsewhere gave up on such a wait: on all of that kind, or on one
 * that is no longer than another one, of that kind too, after which it did come back.
 */
export const givesUpOn = (
  { stories, noise }: ClientEvidence,
  asks: (refusal: Refusal) => boolean,
): Story | undefined => {
  if (!stories.some(triesAgain)) return undefined
  const back = stories.filter((story) => story.refusals.some(asks) && triesAgain(story))
  const longestMs = Math.max(...back.map(firstNamedMs))
  const cases = new Set(back.map(({ play }) => play.case))
  return stories.find(
    (story) =>
      gaveUp(story, asks, noise) &&
      (back.length === 0 || (!cases.has(story.play.case) && firstNamedMs(story) <= longestMs)),
  )
}
