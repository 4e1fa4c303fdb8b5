import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReferenceServer } from '../../../reference-server/server.js'
import type { ReferenceServerOptions } from '../../../reference-server/server-options.js'
import type { PlanName, Quota } from '../../contract/plans.js'
import type { Report } from '../../report/model.js'
import { type ExecutedRun, executeRun } from '../execute-run.js'
import { prepareRun } from '../prepare-run.js'
import { type Diagnosed, diagnosedIn } from './diagnosed.js'

/** How one departure of the reference server, or none, is played. */
export interface Trial {
  readonly server: Pick<ReferenceServerOptions, 'faults' | 'variations' | 'algorithm'>
  readonly scenario: string
  readonly timeScale: number
  readonly seed: number
}

export interface TrialResult {
  readonly report: Report
  /** Clauses at `must` and `should` level that failed. */
  readonly failing: readonly string[]
  /** Clauses at those levels that were left open. */
  readonly open: readonly string[]
  /** The checks that failed, `should` ones included. */
  readonly killers: readonly string[]
  /** What the target was taken for, wherever a quota failed. */
  readonly diagnosed: readonly Diagnosed[]
  readonly exitCode: number
}

/** A target in this process, and the keys that it knows. */
export interface Played {
  readonly target: { readonly url: string; close(): Promise<void> }
  readonly keys: readonly { readonly plan: PlanName; readonly secret: string }[]
  readonly enterprise: Quota
  readonly scenario: string
  readonly timeScale: number
  readonly seed: number
}

/** Plays a scenario against a target and closes it; what the run wrote is gone afterwards. */
export const playAgainst = async (played: Played): Promise<Omit<ExecutedRun, 'crashes'>> => {
  const { target, keys, enterprise, scenario, timeScale, seed } = played
  const out = mkdtempSync(join(tmpdir(), 'quotaspec-trial-'))
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
      seed,
    }
    const { crashes, ...run } = await executeRun(prepareRun(scenario, flags, {}), {
      out,
      allowLoad: false,
      interrupt: new AbortController().signal,
      watch: () => {},
    })
    const [crash] = crashes
    if (crash) throw new Error(`the probe ${crash.probe} crashed`, { cause: crash.error })
    return run
  } finally {
    await target.close()
    rmSync(out, { recursive: true, force: true })
  }
}

const enterprise = { minute: 90, day: 5_000 }
const plans: readonly PlanName[] = ['free', 'pro', 'enterprise']

/** Plays a scenario against a reference server of its own, in this process. */
export const playTrial = async ({ server: departure, scenario, timeScale, seed }: Trial): Promise<TrialResult> => {
  const keys = plans.map((plan) => ({ plan, secret: `trial-${plan}-a1B2c3D4e5F6` }))
  const target = await startReferenceServer({ ...departure, keys, quotas: { enterprise }, timeScale, port: 0 })
  const { report, evidence } = await playAgainst({ target, keys, enterprise, scenario, timeScale, seed })
  const binding = report.clauses.filter(({ level }) => level !== 'observe')
  const those = (verdict: string) => binding.filter((each) => each.verdict === verdict).map(({ id }) => id)
  const killers = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  return {
    report,
    failing: those('fail'),
    open: those('inconclusive'),
    killers,
    diagnosed: diagnosedIn(evidence, report),
    exitCode: report.run.exitCode,
  }
}
