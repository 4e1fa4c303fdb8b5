import { randomBytes } from 'node:crypto'
import { startReferenceServer } from '../../../reference-server/petstore-app.js'
import { executeRun } from '../../assembly/build-report.js'
import { addressInWords } from '../../assembly/first-look.js'
import { readVariable } from '../../assembly/repeating.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'
import { isAnswered } from '../../evidence/exchange.js'
import { systemClock } from '../../kit/clock.js'
import { numberOf } from '../../readings/limit-values.js'
import { saidBy } from '../../readings/readings.js'
import { targetClock } from '../../readings/target-clock.js'
import type { Report } from '../../report/model.js'
import { keysAtHand, readKeyFile } from '../../run/options/keys.js'
import { prepareRun } from '../../run/options/prepare-run.js'
import type { SettledOptions } from '../../run/options/settle-options.js'
import { safetyOf } from '../../run/options/target.js'
import { checksOf } from '../../run/registry.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { hostOf, pinAddress, portOf } from '../../wire/http/pin-address.js'
import { shownCertificate } from '../../wire/http/shown-certificate.js'
import { runLoad } from '../../wire/load/run-load.js'
import { constantRate } from '../../wire/load/schedule.js'

/** A check that needs only the first look, a request with every key; a contract has one for each quota. */
const firstLookOnly = 'rate.limit-of-plan'

const noKey = 'quotaspec-doctor-has-no-key'

/** Plays only the first look of a run. It leaves no folder. */
const lookAt = async (settled: SettledOptions, contract: ApiContract | undefined, interrupt: AbortSignal) => {
  const wishes = checksOf({ contract }).flatMap(({ id }) => (id.startsWith(firstLookOnly) ? id : []))
  const only = { only: wishes, skip: [], with: [], allowLoad: false, withoutLoad: true }
  const options = { ...settled.options, ...only, scenario: 'smoke' }
  return executeRun(prepareRun({ ...settled, options }, process.env, contract), { interrupt, watch: () => {} })
}

/** The result of a cheap request with every key. `variable`: where the key comes from; `waitS`: the wait a refusal names. */
const keyFacts = (evidence: Evidence, report: Report) =>
  evidence.run.keys.map(({ name, quota }) => {
    const last = evidence.exchanges.filter((x) => x.key === name && x.operation !== null).at(-1)
    const said = last && saidBy(evidence, last)
    const check = report.checks.find(({ id, verdict }) => id.startsWith(firstLookOnly) && verdict === 'fail')
    const limit = (said && numberOf(said.limit)) ?? null
    return {
      name,
      variable: readVariable(evidence.run, name) ?? name,
      status: last?.response?.status ?? null,
      // A sentence, if the limit is not that of its plan.
      wrongLimit:
        last && check?.witnesses.includes(last.id)
          ? `its headers show a limit of ${limit}, but the agreed limit is ${quota.limit}`
          : null,
      // The limit that X-RateLimit-Limit or the contract's field shows, and what is left of it.
      limit,
      left: (said && numberOf(said.remaining)) ?? null,
      waitS: last?.response?.status === 429 && said && 'seconds' in said.retryAfter ? said.retryAfter.seconds : null,
    }
  })

/** How far the target's clock is ahead of this machine's, in milliseconds, and whether it said so itself. */
const clockOf = ({ run, exchanges }: Evidence) => {
  if (!exchanges.some(isAnswered)) return null
  const { from, to, told } = targetClock(exchanges, run.wallStartMs)
  return { fromMs: from - run.wallStartMs, toMs: to - run.wallStartMs, told }
}

/** Facts about a target and this machine. Times are milliseconds. */
export type DoctorFacts = Awaited<ReturnType<typeof examineTarget>> & {
  readonly lateness: Awaited<ReturnType<typeof ownLateness>>
  readonly nowMs: number
}

/** Looks at a target with a few requests: its certificate, and one request with every key. */
export const examineTarget = async (
  settled: SettledOptions,
  contract: ApiContract | undefined,
  interrupt: AbortSignal,
) => {
  const { options, nameOf } = settled
  const { target: baseUrl, keyFile, keyVariables, quotas } = options
  const { tls: trust, limits } = safetyOf(options, nameOf('ca'))
  const { connectMs: withinMs = defaultExchangeLimits.connectMs } = limits
  const pinned = await pinAddress(baseUrl, { withinMs })
  const url = new URL(baseUrl)
  const given = [...options.keys, ...readKeyFile(keyFile, nameOf('keyFile'))]
  const hasKeys = keysAtHand(contract, given, process.env, quotas.enterprise, keyVariables).length > 0
  const address: { readonly address: string } | { readonly error: string } =
    'error' in pinned ? { error: pinned.error.message } : { address: pinned.address }
  const tls = url.protocol === 'https:' && !('error' in pinned)
  const certificate = tls
    ? await shownCertificate({ host: hostOf(url), port: portOf(url), address: pinned.address, ca: trust.ca, withinMs })
    : undefined
  const keys = hasKeys ? options.keys : [{ name: 'free', secret: noKey }]
  const { evidence, report } = await lookAt({ ...settled, options: { ...options, keys } }, contract, interrupt)
  return {
    baseUrl,
    address,
    tls: tls ? { certificate, isChecked: !trust.insecure } : undefined,
    // Why nothing else could be asked, in sentences: no answer, no trust, no /v1.
    inTheWay: addressInWords(evidence).join(' ') || null,
    hasKeys,
    keys: keyFacts(evidence, report),
    clock: clockOf(evidence),
    // Time to the head of each response; the first includes connecting.
    answersMs: evidence.exchanges.filter(isAnswered).map(({ sentAt, receivedAt }) => receivedAt - sentAt),
  }
}

const perSecond = 200
const amount = 300
const limit = { minute: 1_000_000, day: 1_000_000 }

/** Sends an even load to its own server on this machine, and measures how late each request was sent. */
export const ownLateness = async () => {
  const secret = randomBytes(12).toString('hex')
  const server = await startReferenceServer({
    keys: [{ plan: 'enterprise', secret }],
    quotas: { enterprise: limit },
    port: 0,
  })
  try {
    const load = await runLoad(
      {
        url: `${server.url}/inventory`,
        method: 'GET',
        headers: { Authorization: `Bearer ${secret}` },
        amount,
        connections: 10,
        timeoutMs: 2_000,
        shape: constantRate(perSecond),
        redact: (text) => text,
      },
      systemClock,
      systemClock.monotonicMs(),
    )
    return { perSecond, ms: load.scheduleErrorMs }
  } finally {
    await server.close()
  }
}
