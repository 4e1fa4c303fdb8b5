import type { Story } from './story.js'

/** What a case asked for, and what came instead: the case was not played. */
export type Amiss =
  /** Not certain where its time was up before it began. */
  | { readonly kind: 'nothing'; readonly certain: boolean }
  | { readonly kind: 'operation'; readonly asked: string; readonly came: string }
  | { readonly kind: 'requests'; readonly asked: number; readonly came: number }
  | { readonly kind: 'workers'; readonly asked: number }

/** The method of an operation that a case asks for by name; undefined where any request will do. */
const methodOf = ({ play: { asked } }: Story): string | undefined =>
  asked.operation === 'updateInventory' ? 'PATCH' : undefined

/** Whether some of a play's requests came beside others: at one time, or on a connection that was used again later. */
export const severalCame = ({ arrivals, workers }: Story): boolean => {
  const order = arrivals.map(({ connection }) => connection)
  return workers > 1 || order.some((each, at) => order[at - 1] !== each && order.slice(0, at).includes(each))
}

/** Whether a play's requests were of another operation than the one it asked for. */
export const isOtherOperation = (story: Story): boolean => {
  const method = methodOf(story)
  return method !== undefined && story.arrivals.length > 0 && story.arrivals.every((each) => each.method !== method)
}

/** Who had ended and was never refused did not give up: it was not made to send more. */
const leftWork = ({ play, arrivals, refusals }: Story): boolean =>
  play.end === 'exit' && refusals.length === 0 && arrivals.length < play.asked.requests

const amissIn = (story: Story, oneByOne: boolean): Amiss | undefined => {
  const { play, arrivals } = story
  const { requests, workers } = play.asked
  if (play.end === 'interrupted') return undefined
  if (arrivals.length === 0) return { kind: 'nothing', certain: play.end === 'exit' }
  const asked = methodOf(story)
  if (asked !== undefined && isOtherOperation(story)) return { kind: 'operation', asked, came: arrivals[0].method }
  if (leftWork(story)) return { kind: 'requests', asked: requests, came: arrivals.length }
  return workers > 1 && oneByOne ? { kind: 'workers', asked: workers } : undefined
}

/**
 * What is amiss in each case of which no play was played as asked, by its id. That one request came after the other is
 * the client's own doing where several came together in another case: the command has then read how many workers.
 */
export const amissByCase = (stories: readonly Story[]): ReadonlyMap<string, Amiss> => {
  const oneByOne = !stories.some((story) => story.play.asked.workers > 1 && severalCame(story))
  const byCase = new Map<string, Amiss | undefined>()
  for (const story of stories) {
    const { case: id } = story.play
    const amiss = amissIn(story, oneByOne)
    byCase.set(id, byCase.has(id) ? byCase.get(id) && amiss : amiss)
  }
  return new Map([...byCase].flatMap(([id, amiss]) => (amiss ? [[id, amiss] as const] : [])))
}
