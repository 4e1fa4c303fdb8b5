import { playAgainst } from '../../src/cli/keystone/play-trial.js'
import type { Report } from '../../src/report/model.js'
import type { ForeignOptions, ForeignTarget } from './petstore.js'

const timeScale = 10
const enterprise = { minute: 90, day: 5_000 }
const keys = (['free', 'pro', 'enterprise'] as const).map((plan) => ({ plan, secret: `foreign-${plan}-Q7w8E9r0T1y2` }))

/** Starts a target of somebody else's make, plays the release gate against it, and gives the report. */
export const playForeign = async (start: (options: ForeignOptions) => Promise<ForeignTarget>): Promise<Report> => {
  const target = await start({ keys, enterprise, timeScale })
  const { report } = await playAgainst({ target, keys, enterprise, scenario: 'release-gate', timeScale, seed: 7 })
  return report
}

/** The clauses with a verdict, those that nobody binds left out. */
export const clausesThat = (verdict: Report['clauses'][number]['verdict'], { clauses }: Report): string[] =>
  clauses.filter((each) => each.level !== 'observe' && each.verdict === verdict).map(({ id }) => id)
