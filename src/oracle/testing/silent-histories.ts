import { limiters } from '../../certificate/limiters.js'
import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { seededRandom } from '../../kit/random.js'
import type { History } from '../../readings/history.js'
import { historyOf } from './made-history.js'
import { simulate } from './simulation.js'
import type { Lane } from './traffic.js'

const windowMs = 1000
const slowestMs = 500

/**
 * A true history of bursts separated by silences of about one or two windows, some broken by single requests, with answers
 * that take up to half a window.
 */
export const silentHistory = (model: ModelName, seed: number): { history: History; window: QuotaWindow } => {
  const random = seededRandom(seed)
  const limit = random.pick([2, 3, 5, random.int(3, 40)])
  const epochOffsetMs = 1.79e12 + 1000 * random.float()
  const limiter = limiters[model]({ limit, windowMs, epochOffsetMs, random })
  const lanes: Lane[] = []
  let startMs = 1000 * random.float()
  for (let burst = 0; burst < 5; burst++) {
    const connections = random.pick([1, 4])
    for (let connection = 0; connection < connections; connection++) {
      const everyMs = random.pick([0, windowMs / limit])
      lanes.push({ startMs, count: Math.ceil((1.5 * limit) / connections), everyMs })
    }
    if (random.float() < 0.3) lanes.push({ startMs: startMs + 300, count: random.int(1, 30), everyMs: 60 })
    startMs += 600 * random.float() + windowMs * (random.pick([0.9, 0.9, 1.9]) + 0.4 * random.float())
  }
  const roundTripMs = () => slowestMs * random.float() ** 2
  const [events] = simulate([{ lanes, limiter }], { roundTripMs, lossRate: random.pick([0, 0.02]), random })
  return { history: historyOf(events), window: { limit, windowMs } }
}
