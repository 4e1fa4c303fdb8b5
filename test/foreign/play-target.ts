import { type Played, playAgainst } from '../../src/cli/keystone/play-trial.js'
import type { Report } from '../../src/report/model.js'
import type { ForeignOptions, ForeignTarget } from './petstore.js'

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

/** Plays it, and gives the report. */
export const playForeign = async (start: Start): Promise<Report> => (await playAgainst(await foreignRun(start))).report

/** The clauses with a verdict, those that nobody binds left out. */
export const clausesThat = (verdict: Report['clauses'][number]['verdict'], { clauses }: Report): string[] =>
  clauses.filter((each) => each.level !== 'observe' && each.verdict === verdict).map(({ id }) => id)
