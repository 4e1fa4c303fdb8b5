import { fail, inconclusive, notTested, pass } from '../../checks/framework/finding.js'
import type { Noise, Story } from '../waits/story.js'
import { underWayMs } from '../waits/waits.js'
import { defineBackoffCheck } from './client-check.js'
import { durationOf } from './in-words.js'

/** Fewer workers are no crowd. */
const fewestWorkers = 10
/** Such a share of them in one moment is a stampede. */
const crowdShare = 0.75
/** What holds a client up may bunch workers that were spread, or spread workers that came at once, by so many times. */
const timesNoise = 3
/** An answer that took so long was held back: whoever came back with the one that got it had come by then. */
const leastHeldMs = 90
/** Who was held up by less has not been bunched. */
const harmlessMs = 30

/** Whether workers that came back so close together did so at once; `unclear`: what held them up may have made the difference. */
const judged = (withinMs: number, lateMs: number): 'yes' | 'no' | 'unclear' => {
  if (withinMs < underWayMs) return lateMs <= harmlessMs ? 'yes' : 'unclear'
  return withinMs > underWayMs + timesNoise * lateMs ? 'no' : 'unclear'
}

/**
 * When the first that came back had been served, where its answer was held until nothing else had come for a while: those
 * who come after it were not sent by the refusal. Before that they all come by themselves.
 */
const servedAt = ({ arrivals }: Story, refusedAt: number): number => {
  const first = arrivals.find(({ at, status }) => at > refusedAt && status === 200)
  const answeredAt = first?.answeredAt ?? Number.POSITIVE_INFINITY
  return first && answeredAt - first.at >= leastHeldMs ? answeredAt : Number.POSITIVE_INFINITY
}

/**
 * The first return of many workers in each play that had at least ten refused at once, with a wait that was named: the shortest
 * time within which three quarters of them came back, and what the client may have been held up by meanwhile.
 */
const returnsOf = (stories: readonly Story[], noise: Noise) =>
  stories.flatMap((story) => {
    const [first] = story.refusals
    if (!first || (first.named.kind !== 'seconds' && first.named.kind !== 'date')) return []
    const together = story.refusals.filter(({ answeredAt }) => answeredAt - first.answeredAt <= underWayMs)
    const lastAt = Math.max(...together.map(({ answeredAt }) => answeredAt))
    const back = story.arrivals
      .filter(({ at }) => at > lastAt && at <= servedAt(story, lastAt))
      .slice(0, together.length)
    const crowd = Math.min(story.workers, together.length, back.length)
    if (crowd < fewestWorkers) return []
    const share = Math.ceil(back.length * crowdShare)
    const spans = back.slice(share - 1).map(({ at }, index) => at - back[index].at)
    const withinMs = Math.min(...spans)
    const lateMs = noise.mostMs(back[0].at, back[back.length - 1].at)
    return [{ story, workers: back.length, withinMs, lateMs, atOnce: judged(withinMs, lateMs) }]
  })

/** So many times the moment in which they are a crowd: the busiest three quarters of a spread so wide lie well apart. */
const wideEnough = 5

const spreadOut = `Let each worker add a random part of its own to the wait, of 0 to ${wideEnough * underWayMs} ms or more: three quarters of them within ${underWayMs} ms are one moment.`

/** Many workers that were refused together do not come back together. */
export const workersSpread = defineBackoffCheck({
  id: 'client.workers-spread',
  promise: 'workers that were refused together do not all come back at the same moment',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const returns = returnsOf(evidence.stories, evidence.noise)
    if (returns.length === 0) return notTested('no-parallel-workers', {})
    const crowd = returns.find(({ atOnce }) => atOnce === 'yes')
    if (crowd) {
      const { story, workers, withinMs } = crowd
      const facts = { case: story.play.case, workers, withinMs: Math.round(withinMs) }
      return fail('workers-come-back-at-once', facts, ...story.arrivals.slice(workers, workers + 3))
    }
    const spread = returns.find(({ atOnce }) => atOnce === 'no')
    const { story, workers, withinMs, lateMs } = spread ?? returns[0]
    const facts = { workers, withinMs: Math.round(withinMs) }
    return spread
      ? pass('workers-spread', facts)
      : inconclusive('workers-spread-or-held-up', { ...facts, case: story.play.case, lateMs })
  },
  sentences: {
    'workers-come-back-at-once': (f) =>
      `most of ${f.workers} workers that were refused together came back within ${durationOf(f.withinMs)} (${f.case})`,
    'workers-spread': (f) =>
      `${f.workers} workers that were refused together came back spread out: most of them over ${durationOf(f.withinMs)}`,
    'workers-spread-or-held-up': (f) =>
      `most of ${f.workers} workers that were refused together came back within ${durationOf(f.withinMs)}, while the machine was late by ${durationOf(f.lateMs)}, so it is unclear whether they spread (${f.case})`,
    'no-parallel-workers': () => 'it never had ten requests refused at once',
  },
  advice: {
    'workers-come-back-at-once': () => spreadOut,
    'workers-spread-or-held-up': () => ({ ifItStands: spreadOut }),
  },
})
