import { startContractServer } from '../../../reference-server/contract-app.js'
import type { ServerOptions } from '../../../reference-server/departed.js'
import { startReferenceServer } from '../../../reference-server/petstore-app.js'
import { executeRun } from '../../assembly/build-report.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { PlanName, Quota } from '../../contract/plans.js'
import { prepareRun } from '../../run/options/prepare-run.js'
import { programSource, settleOptions } from '../../run/options/settle-options.js'
import { contractSecrets } from '../commands/serve.js'
import { diagnosedIn } from './diagnosed.js'

/** How to play one departure of the reference server, or none. */
export interface Trial {
  readonly server: Pick<ServerOptions, 'faults' | 'variations' | 'algorithm'>
  /** The contract of the server and of the run; by default the Petstore's. */
  readonly contract?: ApiContract
  /** The Enterprise quota, if not the usual one of trials. */
  readonly enterprise?: Quota
  readonly scenario: string
  readonly timeScale: number
  readonly seed: number
  /** Where to keep its run; if absent, nowhere. */
  readonly keep?: string
}

/** A target in this process, and its keys: by plan or, for a contract, by credential. */
interface Played extends Omit<Trial, 'server'> {
  readonly target: { readonly url: string; close(): Promise<void> }
  readonly keys: readonly { readonly plan: string; readonly secret: string }[]
  /** What is judged; if absent, everything. */
  readonly only?: readonly string[]
}

/** Plays a scenario against a target and closes it. */
export const playAgainst = async (played: Played) => {
  const { target, keys, enterprise, contract, scenario, timeScale, seed, only = [], keep } = played
  try {
    const settled = settleOptions([
      programSource({
        target: target.url,
        scenario,
        keys: keys.map(({ plan, secret }) => ({ name: plan, secret })),
        quotas: { enterprise },
        timeScale,
        out: keep,
        only: [...only],
        seed,
      }),
    ])
    const { crashes, ...run } = await executeRun(prepareRun(settled, {}, contract), {
      out: keep,
      interrupt: new AbortController().signal,
      watch: () => {},
    })
    const [crash] = crashes
    if (crash) throw new Error(`the probe ${crash.probe} crashed`, { cause: crash.error })
    return run
  } finally {
    await target.close()
  }
}

const usualEnterprise = { minute: 90, day: 5_000 }
const plans: readonly PlanName[] = ['free', 'pro', 'enterprise']

const servePetstore = async ({ server, timeScale, enterprise = usualEnterprise }: Trial) => {
  const keys = plans.map((plan) => ({ plan, secret: `trial-${plan}-a1B2c3D4e5F6` }))
  return {
    keys,
    enterprise,
    server: await startReferenceServer({ ...server, keys, quotas: { enterprise }, timeScale, port: 0 }),
  }
}

const serveContract = async (contract: ApiContract, { server, timeScale }: Trial) => {
  const { secrets } = contractSecrets(contract, [], {})
  return {
    keys: Object.entries(secrets).map(([plan, secret]) => ({ plan, secret })),
    server: await startContractServer(contract, { ...server, secrets, timeScale, port: 0 }),
  }
}

/** Plays a scenario against its own reference server in this process, or against what `front` puts before it. */
export const playTrial = async (
  trial: Trial,
  front = async (server: Played['target']): Promise<Played['target']> => server,
) => {
  const { contract } = trial
  const { server, ...known } = await (contract ? serveContract(contract, trial) : servePetstore(trial))
  const { report, evidence } = await playAgainst({ ...trial, ...known, target: await front(server) })
  const binding = report.clauses.filter(({ level }) => level !== 'observe')
  const those = (verdict: string): readonly string[] =>
    binding.filter((each) => each.verdict === verdict).map(({ id }) => id)
  const killers: readonly string[] = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  return {
    report,
    failing: those('fail'),
    open: those('inconclusive'),
    reasons: Object.fromEntries(
      binding
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')
        .map((each) => [each.id, each.reason]),
    ),
    passing: those('pass'),
    killers,
    diagnosed: diagnosedIn(evidence, report),
    exitCode: report.run.exitCode,
  }
}
