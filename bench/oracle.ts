import { modelNames } from '../src/contract/limiter-models.js'
import { seededRandom } from '../src/kit/random.js'
import { explain, explainAll } from '../src/oracle/models/explain.js'
import { type History, outcomes } from '../src/readings/history.js'

const window = { limit: 1000, windowMs: 6000 }

/** 5,000 requests a second against an exact fixed window, with delays of up to 4 ms. */
const floodOf = (size: number): History => {
  const random = seededRandom(1)
  const sentMs = Float64Array.from({ length: size }, (_, i) => i * 0.2)
  const decidedMs = sentMs.map((sent) => sent + 2 * random.float())
  const order = Uint32Array.from(sentMs.keys()).sort((a, b) => decidedMs[a] - decidedMs[b])
  const outcome = new Uint8Array(size)
  let [current, count] = [-1, 0]
  for (const i of order) {
    const index = Math.floor(decidedMs[i] / window.windowMs)
    if (index !== current) [current, count] = [index, 0]
    outcome[i] = count++ < window.limit ? outcomes.admitted : outcomes.refused
  }
  const receivedMs = decidedMs.map((decided) => decided + 2 * random.float())
  return { size, sentMs, receivedMs, outcome, priorUntilMs: Number.NEGATIVE_INFINITY, targetEpochOffsetMs: null }
}

const medianMs = (run: () => unknown): number => {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  return times.sort((a, b) => a - b)[2]
}

/** Prints the cost of all models together and of each alone, medians of five, and how it grows. */
const main = (): void => {
  let lastMs = Number.NaN
  for (const size of [10_000, 100_000, 1_000_000]) {
    const history = floodOf(size)
    const allMs = medianMs(() => explainAll(history, window))
    const growth = Number.isNaN(lastMs) ? '' : `, ${(allMs / lastMs).toFixed(1)} times the last`
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
    console.log(`${size} exchanges: all models ${allMs.toFixed(0)} ms${growth}; peak memory ${peakMb} MB`)
    const each = modelNames.map((name) => `${name} ${medianMs(() => explain(name, history, window)).toFixed(0)}`)
    console.log(`    ms: ${each.join(', ')}`)
    lastMs = allMs
  }
}

main()
