import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningServer } from '../../../reference-server/http/listening.js'
import { delaying, type OpenPassage, queueing, startFront } from '../../../reference-server/http/relay.js'
import type { ReferenceServerOptions } from '../../../reference-server/petstore/server-options.js'
import { startContractServer, startReferenceServer } from '../../../reference-server/server.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { PlanName, Quota } from '../../contract/plans.js'
import { systemClock } from '../../kit/clock.js'
import type { Report } from '../../report/model.js'
import { type ExecutedRun, executeRun } from '../../run/execute-run.js'
import { prepareRun } from '../../run/options/prepare-run.js'
import { programSource, settleOptions } from '../../run/options/settle-options.js'
import { contractSecrets } from '../commands/served-keys.js'
import { type Diagnosed, diagnosedIn } from './expected-diagnosis.js'

/** What may stand between a trial and its target. */
export type FrontName = 'slow' | 'delayed'

/** How one departure of the reference server, or none, is played. */
export interface Trial {
  readonly server: Pick<ReferenceServerOptions, 'faults' | 'variations' | 'algorithm'>
  /** What is served, and what the run is held to; petstore unless told. */
  readonly contract?: ApiContract
  readonly scenario: string
  readonly timeScale: number
  readonly seed: number
  /** What stands before the target; nothing unless told. */
  readonly front?: FrontName
  /** Where its run is kept; it is removed unless told. */
  readonly keep?: string
}

export interface TrialResult {
  readonly report: Report
  /** Clauses at `must` and `should` level that failed. */
  readonly failing: readonly string[]
  /** Clauses at those levels that were left open. */
  readonly open: readonly string[]
  /** Clauses at those levels that were said to hold. */
  readonly passing: readonly string[]
  /** The checks that failed, `should` ones included. */
  readonly killers: readonly string[]
  /** What the target was taken for, wherever a quota failed. */
  readonly diagnosed: readonly Diagnosed[]
  readonly exitCode: number
}

/** A target in this process, and the keys that it knows. */
export interface Played {
  readonly target: { readonly url: string; close(): Promise<void> }
  /** By plan; of a contract by credential. */
  readonly keys: readonly { readonly plan: string; readonly secret: string }[]
  /** Petstore's alone. */
  readonly enterprise?: Quota
  readonly contract?: ApiContract
  readonly scenario: string
  readonly timeScale: number
  readonly seed: number
  /** What is judged, and no more; all unless told. */
  readonly only?: readonly string[]
  /** Where the run is kept; it is removed unless told. */
  readonly keep?: string
}

/** Plays a scenario against a target and closes it. */
export const playAgainst = async (played: Played): Promise<Omit<ExecutedRun, 'crashes'>> => {
  const { target, keys, enterprise, contract, scenario, timeScale, seed, only = [], keep } = played
  const out = keep ?? mkdtempSync(join(tmpdir(), 'quotaspec-trial-'))
  try {
    const settled = settleOptions([
      programSource({
        target: target.url,
        scenario,
        keys: keys.map(({ plan, secret }) => ({ name: plan, secret })),
        quotas: { enterprise },
        timeScale,
        out,
        only: [...only],
        seed,
      }),
    ])
    const { crashes, ...run } = await executeRun(prepareRun(settled, {}, contract), {
      out,
      interrupt: new AbortController().signal,
      watch: () => {},
    })
    const [crash] = crashes
    if (crash) throw new Error(`the probe ${crash.probe} crashed`, { cause: crash.error })
    return run
  } finally {
    await target.close()
    if (keep === undefined) rmSync(out, { recursive: true, force: true })
  }
}

const enterprise = { minute: 90, day: 5_000 }
const plans: readonly PlanName[] = ['free', 'pro', 'enterprise']

/** Far away, or slow: what time it takes, and nothing else that differs. */
const passages: Readonly<Record<FrontName, (seed: number) => OpenPassage>> = {
  slow: () => queueing(200, systemClock),
  delayed: (seed) => delaying(seed, 40, 160),
}

/** The server as it is reached through what stands before it; both end together. */
const reachedThrough = async (server: RunningServer, openPassage: OpenPassage): Promise<Played['target']> => {
  const front = await startFront(server.url, openPassage)
  return {
    url: front.url,
    close: async () => {
      await front.close()
      await server.close()
    },
  }
}

/** A reference server in this process, and all that a run has to know of it. */
type Served = Pick<Played, 'keys' | 'enterprise' | 'contract'> & { readonly server: RunningServer }

const servePetstore = async ({ server, timeScale }: Trial): Promise<Served> => {
  const keys = plans.map((plan) => ({ plan, secret: `trial-${plan}-a1B2c3D4e5F6` }))
  return {
    keys,
    enterprise,
    server: await startReferenceServer({ ...server, keys, quotas: { enterprise }, timeScale, port: 0 }),
  }
}

const serveContract = async (contract: ApiContract, { server, timeScale }: Trial): Promise<Served> => {
  const { faults, variations, algorithm: limiter } = server
  const { secrets } = contractSecrets(contract, [], {})
  return {
    keys: Object.entries(secrets).map(([plan, secret]) => ({ plan, secret })),
    contract,
    server: await startContractServer(contract, { faults, variations, limiter, secrets, timeScale, port: 0 }),
  }
}

/** Plays a scenario against a reference server of its own, in this process. */
export const playTrial = async (trial: Trial): Promise<TrialResult> => {
  const { contract, scenario, timeScale, seed, front, keep } = trial
  const { server, ...known } = await (contract ? serveContract(contract, trial) : servePetstore(trial))
  const target = front ? await reachedThrough(server, passages[front](seed)) : server
  const { report, evidence } = await playAgainst({ ...known, target, scenario, timeScale, seed, keep })
  const binding = report.clauses.filter(({ level }) => level !== 'observe')
  const those = (verdict: string) => binding.filter((each) => each.verdict === verdict).map(({ id }) => id)
  const killers = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  return {
    report,
    failing: those('fail'),
    open: those('inconclusive'),
    passing: those('pass'),
    killers,
    diagnosed: diagnosedIn(evidence, report),
    exitCode: report.run.exitCode,
  }
}
