import { underWayMs } from './foreknowledge.js'
import type { Noise } from './noise.js'
import type { Story } from './story.js'

/** Fewer workers are no crowd. */
const fewestWorkers = 10
/** Such a share of them in one moment is a stampede. */
const crowdShare = 0.75
/** What holds a client up may bunch workers that were spread, or spread workers that came at once, by so many times. */
const timesNoise = 3
/** Who was held up by less has not been bunched. */
const harmlessMs = 30

/** How many workers that were refused together come back, and how close together. */
export interface Return {
  readonly story: Story
  readonly workers: number
  /** The shortest time within which three quarters of them came back. */
  readonly withinMs: number
  /** What the client may have been held up by meanwhile. */
  readonly lateMs: number
  /** `unclear`: that may have made the difference. */
  readonly atOnce: 'yes' | 'no' | 'unclear'
}

const judged = (withinMs: number, lateMs: number): Return['atOnce'] => {
  if (withinMs < underWayMs) return lateMs <= harmlessMs ? 'yes' : 'unclear'
  return withinMs > underWayMs + timesNoise * lateMs ? 'no' : 'unclear'
}

/** The first return of many workers in each play that had at least ten refused at once, with a wait that was named. */
export const returnsOf = (stories: readonly Story[], noise: Noise): readonly Return[] =>
  stories.flatMap((story): Return[] => {
    const [first] = story.refusals
    if (!first || (first.named.kind !== 'seconds' && first.named.kind !== 'date')) return []
    const together = story.refusals.filter(({ answeredAt }) => answeredAt - first.answeredAt <= underWayMs)
    const lastAt = Math.max(...together.map(({ answeredAt }) => answeredAt))
    const back = story.arrivals.filter(({ at }) => at > lastAt).slice(0, together.length)
    const crowd = Math.min(story.workers, together.length, back.length)
    if (crowd < fewestWorkers) return []
    const share = Math.ceil(back.length * crowdShare)
    const spans = back.slice(share - 1).map(({ at }, index) => at - back[index].at)
    const withinMs = Math.min(...spans)
    const lateMs = noise.mostMs(back[0].at, back[back.length - 1].at)
    return [{ story, workers: back.length, withinMs, lateMs, atOnce: judged(withinMs, lateMs) }]
  })
