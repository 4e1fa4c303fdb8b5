import type { playAgainst } from '../../src/cli/keystone/play-trial.js'
import type { ForeignOptions, ForeignTarget } from './petstore.js'

type Played = Parameters<typeof playAgainst>[0]

const timeScale = 10
const enterprise = { minute: 90, day: 5_000 }
const keys = (['free', 'pro', 'enterprise'] as const).map((plan) => ({ plan, secret: `foreign-${plan}-Q7w8E9r0T1y2` }))

type Start = (options: ForeignOptions) => Promise<ForeignTarget>

/** A target of somebody else's make, started, and how the release gate is played against it. */
export const foreignRun = async (start: Start): Promise<Played> => ({
  target: await start({ keys, enterprise, timeScale }),
  keys,
  enterprise,
  scenario: 'release-gate',
  timeScale,
  seed: 7,
})
