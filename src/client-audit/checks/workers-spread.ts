import { fail, inconclusive, notTested, pass } from '../../checks/framework/finding.js'
import { returnsOf } from '../waits/crowding.js'
import { underWayMs } from '../waits/foreknowledge.js'
import { defineBackoffCheck } from './client-check.js'
import { durationOf, ifItStands } from './in-words.js'

/** So many times the moment in which they are a crowd: the busiest three quarters of a spread so wide lie well apart. */
const wideEnough = 5

const spreadOut = `Let each worker add a random part of its own to the wait, of 0 to ${wideEnough * underWayMs} ms or more: three quarters of them within ${underWayMs} ms are one moment.`

/** Many workers that were refused together do not come back together. */
export const workersSpread = defineBackoffCheck({
  id: 'client.workers-spread',
  promise: 'many workers that were refused together do not come back in the same moment',
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
      `most of ${f.workers} workers that were refused together came back within ${durationOf(f.withinMs)}, while the machine was late by ${durationOf(f.lateMs)}: whether they spread can't be told (${f.case})`,
    'no-parallel-workers': () => 'it never had ten requests refused at once',
  },
  advice: {
    'workers-come-back-at-once': () => spreadOut,
    'workers-spread-or-held-up': () => ifItStands(spreadOut),
  },
})
