import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executeRun } from '../../src/cli/execute-run.js'
import { prepareRun } from '../../src/cli/prepare-run.js'
import type { Report } from '../../src/report/model.js'
import type { ForeignOptions, ForeignTarget } from './petstore.js'

const timeScale = 10
const enterprise = { minute: 90, day: 5_000 }
const keys = (['free', 'pro', 'enterprise'] as const).map((plan) => ({ plan, secret: `foreign-${plan}-Q7w8E9r0T1y2` }))

/** Starts a target of somebody else's make, plays the release gate against it, and gives the report. */
export const playForeign = async (start: (options: ForeignOptions) => Promise<ForeignTarget>): Promise<Report> => {
  const target = await start({ keys, enterprise, timeScale })
  const out = mkdtempSync(join(tmpdir(), 'quotaspec-foreign-'))
  try {
    const flags = {
      target: target.url,
      key: keys.map(({ plan, secret }) => `${plan}=${secret}`),
      quota: [`enterprise=minute:${enterprise.minute},day:${enterprise.day}`],
      'time-scale': timeScale,
      out,
      only: [],
      skip: [],
      strict: false,
      'read-only': false,
      'allow-load': false,
      seed: 7,
    }
    const { report, crashes } = await executeRun(prepareRun('release-gate', flags, {}), {
      out,
      allowLoad: false,
      interrupt: new AbortController().signal,
      watch: () => {},
    })
    if (crashes.length > 0) throw new Error(`the probe ${crashes[0].probe} crashed`, { cause: crashes[0].error })
    return report
  } finally {
    await target.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** The clauses with a verdict, those that nobody binds left out. */
export const clausesThat = (verdict: Report['clauses'][number]['verdict'], { clauses }: Report): string[] =>
  clauses.filter((each) => each.level !== 'observe' && each.verdict === verdict).map(({ id }) => id)
