import { describe, it } from 'vitest'
import { startExpressTarget } from './express-target.js'
import { startFastifyTarget } from './fastify-target.js'
import { startKoaTarget } from './koa-target.js'
import type { ForeignOptions, ForeignTarget } from './petstore.js'
import { clausesThat, playForeign } from './play-target.js'

interface Case {
  readonly title: string
  readonly start: (options: ForeignOptions) => Promise<ForeignTarget>
  readonly departures: readonly string[]
  /** What nobody can tell of a target that departs so. */
  readonly open?: readonly string[]
}

/** What each of them does otherwise than the interface (or a standard under it) asks, read in its source. */
const cases: readonly Case[] = [
  {
    title: 'Express 5 with express-rate-limit before authentication keeps every clause',
    start: (options) => startExpressTarget({ ...options, limits: 'before-auth' }),
    departures: [],
  },
  {
    title:
      'Express 5 with express-rate-limit after authentication shows strangers no headers, and departs in nothing else',
    start: (options) => startExpressTarget({ ...options, limits: 'after-auth' }),
    departures: ['RATE-1'],
  },
  {
    title: 'Fastify 5 with @fastify/rate-limit counts Reset in seconds from now, and departs in nothing else',
    start: startFastifyTarget,
    departures: ['RATE-5'],
    // A Reset that names moments in 1970 promises no return that could be waited for.
    open: ['RATE-6'],
  },
  {
    title: 'Koa 3 with koa-ratelimit shows a fraction as Reset and cuts Retry-After off, and departs in nothing else',
    start: startKoaTarget,
    departures: ['RATE-7', 'THROTTLE-4'],
  },
]

describe('servers on limiters that nobody here wrote', { timeout: 150_000, concurrent: true }, () => {
  for (const { title, start, departures, open = [] } of cases) {
    it(title, async ({ expect }) => {
      const report = await playForeign(start)
      const because = (verdict: string) =>
        report.clauses.filter((each) => each.verdict === verdict).map(({ id, reason }) => `${id}: ${reason}`)
      expect(clausesThat('fail', report), because('fail').join('\n')).toEqual(departures)
      expect(clausesThat('inconclusive', report), because('inconclusive').join('\n')).toEqual(open)
    })
  }
})
