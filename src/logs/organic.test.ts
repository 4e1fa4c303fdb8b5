import { describe, expect, it } from 'vitest'
import { type Limiter, type LimiterSettings, limiters } from '../certificate/limiters.js'
import { type ModelName, modelNames } from '../contract/limiter-models.js'
import { seededRandom } from '../kit/random.js'
import { judgeTraffic } from './judge-logs.js'
import {
  decided,
  jsonFields,
  jsonLine,
  logOf,
  nginxLine,
  organicArrivals,
  type ServedRequest,
  shopContract,
} from './testing/organic.js'

const limit = 60
const windowMs = 60_000

const settingsOf = (seed: number): LimiterSettings => {
  const random = seededRandom(seed)
  return { limit, windowMs, epochOffsetMs: random.float() * windowMs, random }
}

const made = (seed: number, requests: number, limiterOf: (client: number) => Limiter): ServedRequest[] =>
  decided(organicArrivals({ random: seededRandom(seed), requests }), limiterOf)

const clocks = {
  'of a second': { format: 'nginx', line: nginxLine, fields: {} },
  'of a millisecond': { format: 'json', line: jsonLine, fields: jsonFields },
} as const

const judged = async (served: readonly ServedRequest[], clock: keyof typeof clocks, isComplete: boolean) => {
  const { format, line, fields } = clocks[clock]
  const { report } = await judgeTraffic({
    contract: shopContract(),
    logs: [{ file: logOf(served.map(line)), clock: { errorMs: 0, longestMs: undefined } }],
    format,
    fields,
    requests: [],
    secrets: {},
    isComplete,
    strict: false,
    command: '',
    capacity: 4096,
  })
  return report
}

const cases = modelNames.flatMap((model) =>
  (Object.keys(clocks) as (keyof typeof clocks)[]).map((clock) => [model, clock] as const),
)

describe('organic traffic on an honest limiter raises no alarm', () => {
  it.each(cases)('%s, a clock %s', async (model: ModelName, clock) => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const served = made(seed, 6000, (client) => limiters[model](settingsOf(100 * seed + client)))
      const random = seededRandom(seed)
      const halved = served.filter(() => random.float() < 0.5)
      const verdicts = [
        await judged(served, clock, true),
        await judged(served, clock, false),
        await judged(halved, clock, false),
      ]
      expect(verdicts.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === 'fail'))).toEqual([])
    }
  })
})
