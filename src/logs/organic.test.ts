import { describe, expect, it } from 'vitest'
import { type Limiter, type LimiterSettings, limiters } from '../certificate/limiters.js'
import { type ModelName, modelNames } from '../contract/limiter-models.js'
import { seededRandom } from '../kit/random.js'
import { trafficJudge } from './judge-traffic.js'
import { type ClockName, clocks, foundInLog } from './testing/found-in-logs.js'
import {
  decided,
  jsonFields,
  jsonLine,
  logOf,
  organicArrivals,
  type ServedRequest,
  shopContract,
} from './testing/organic.js'
import { readTraffic } from './traffic.js'

const window = { limit: 60, windowMs: 60_000 }

const settingsOf = (seed: number): LimiterSettings => {
  const random = seededRandom(seed)
  return { ...window, epochOffsetMs: random.float() * window.windowMs, random }
}

const served = (seed: number, requests: number, limiterOf: (settings: LimiterSettings) => Limiter): ServedRequest[] =>
  decided(organicArrivals({ random: seededRandom(seed), requests }), (client) =>
    limiterOf(settingsOf(1000 * seed + client)),
  )

/** Half of the lines, as a load balancer deals them out. */
const halfOf = (all: readonly ServedRequest[]): ServedRequest[] => {
  const random = seededRandom(all.length)
  return all.filter(() => random.float() < 0.5)
}

/** Fewer requests than there are lines, so that what is kept from batch to batch is tested too. */
const inBatches = { capacity: 3000 }

const clockNames = Object.keys(clocks) as ClockName[]
const cases = modelNames.flatMap((model) => clockNames.map((clock) => [model, clock] as const))

describe('organic traffic on an honest limiter', () => {
  it.each(cases)('raises no alarm: %s, a clock %s', async (model: ModelName, clock) => {
    for (let seed = 1; seed <= 2; seed += 1) {
      const all = served(seed, 4000, limiters[model])
      const found = [
        await foundInLog(all, clock, { isComplete: true }),
        await foundInLog(all, clock, { isComplete: true, ...inBatches }),
        await foundInLog(halfOf(all), clock, { isComplete: false }),
      ]
      expect(found).toEqual([[], [], []])
    }
  })
})

describe('logs of several nodes, whose clocks are apart', () => {
  it.each(modelNames)('raise no alarm: %s', async (model) => {
    const random = seededRandom(9)
    const errors = [400, -400, 0]
    const all = served(5, 4000, limiters[model])
    // Some were counted, and then answered by a gateway that gave up.
    const ended = all.map((each) => (random.float() < 0.01 ? { ...each, status: 504 } : each))
    const nodes = ended.map((each) => ({ each, node: random.int(0, 2) }))
    const logs = errors.map((errorMs, place) => {
      const own = nodes.filter(({ node }) => node === place).map(({ each }) => each)
      const lines = own.map((each) =>
        jsonLine({ ...each, startMs: each.startMs + errorMs, endMs: each.endMs + errorMs }),
      )
      return { file: logOf(lines, `node-${place}.log`), clock: { errorMs: 400, longestMs: undefined } }
    })
    const judge = trafficJudge(shopContract(), true)
    const given = { contract: shopContract(), logs, format: 'json', fields: jsonFields, requests: [], secrets: {} }
    await readTraffic({ ...given, capacity: 3000 }, judge.take)
    expect(judge.judged().flatMap(({ broken }) => broken)).toEqual([])
  })
})

describe('a limiter that admits too much', () => {
  it.each(clockNames)('is found where it admits twice the limit, a clock %s', async (clock) => {
    const all = served(1, 4000, (settings) => limiters['sliding-log']({ ...settings, limit: 121 }))
    expect((await foundInLog(all, clock, { isComplete: true })).length).toBeGreaterThan(0)
    expect((await foundInLog(all, clock, { isComplete: false })).length).toBeGreaterThan(0)
  })

  it('is found by half of the lines where nodes count alone', async () => {
    const nodes = (settings: LimiterSettings): Limiter => {
      const each = Array.from({ length: 6 }, () => limiters['sliding-log'](settings))
      return { decide: (now) => settings.random.pick(each).decide(now) }
    }
    const found = await foundInLog(halfOf(served(1, 8000, nodes)), 'of a second', { isComplete: false })
    expect(found[0]?.judgement.side).toBe('over-admission')
  })
})

describe('a limiter that refuses too early', () => {
  const short = (settings: LimiterSettings) => limiters['fixed-window']({ ...settings, limit: 40 })

  it('is found in a log that is whole', async () => {
    const found = await foundInLog(served(1, 4000, short), 'of a millisecond', { isComplete: true })
    expect(found.map(({ judgement }) => judgement.side)).toContain('early-refusal')
  })

  it('is not told from others that spend the quota where nobody says that it is', async () => {
    expect(await foundInLog(served(1, 4000, short), 'of a millisecond', { isComplete: false })).toEqual([])
  })
})
