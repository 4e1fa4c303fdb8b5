import { expect, it } from 'vitest'
import { startExpressTarget } from './express-target.js'
import { clausesThat, playForeign } from './play-target.js'

// One of them is played here; runs against all are in the corpus, with what each departs in.
it('Express 5 with express-rate-limit before authentication keeps every clause', async () => {
  const report = await playForeign((options) => startExpressTarget({ ...options, limits: 'before-auth' }))
  const because = (verdict: string) =>
    report.clauses.filter((each) => each.verdict === verdict).map(({ id, reason }) => `${id}: ${reason}`)
  expect(clausesThat('fail', report), because('fail').join('\n')).toEqual([])
  expect(clausesThat('inconclusive', report), because('inconclusive').join('\n')).toEqual([])
})
