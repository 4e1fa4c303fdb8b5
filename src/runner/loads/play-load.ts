import { operations } from '../../contract/operations.js'
import { windowMs } from '../../contract/plans.js'
import { loadRowRecord } from '../../evidence/load-rows.js'
import { defaultExchangeLimits } from '../../http/exchange-limits.js'
import { acceptedCodings } from '../../kit/content-coding.js'
import { rowReader } from '../../limits/readings/dialect/row-reader.js'
import type { LoadEar } from '../../load/load-spec.js'
import { runLoad } from '../../load/run-load.js'
import { type LoadOutcome, type LoadPlan, ProbeBlocked } from '../../probes/probe.js'
import { slowedShape, usualCeilings } from '../ending/ceilings.js'
import type { RunLog } from '../run-log.js'
import type { RunSetup } from '../run-setup.js'
import { type KeySession, requestNameOf } from '../session/key-session.js'
import { dayShownIn, refusalsIn } from '../session/limit-hints.js'
import { watchStalls } from './event-loop-stall.js'
import { latenessOf, ledgerOf } from './load-ledger.js'

/** A refusal that is held for half a window is held back (THROTTLE-1); of a real minute's, 10 s show that. */
const mostHeldMs = 10_000
/** A load listens for so much longer than that, so that such a refusal still counts as answered. */
const longerMs = 100

/** How long the head of an answer may take under load, in milliseconds. */
export const loadTimeoutMs = ({ limits, head }: Pick<RunSetup, 'limits' | 'head'>): number =>
  Math.max(
    limits?.headMs ?? defaultExchangeLimits.headMs,
    Math.min(windowMs('minute', head.timeScale) / 2, mostHeldMs) + longerMs,
  )

/** The one request that a load sends: the list of the bundled contract, or a probe of a contract file. */
const requestOf = ({ head, credentialOf }: RunSetup, { key, quota }: KeySession, { request }: LoadPlan) => {
  const { method, path, headers, body } = quota
    ? quota.contract.probes[request ?? requestNameOf(key, quota)]
    : { ...operations.listInventory, headers: {}, body: undefined }
  const credential = credentialOf(key.credential ?? key.name)
  const joint = credential.query === '' ? '' : path.includes('?') ? '&' : '?'
  return {
    url: `${head.baseUrl}${path}${joint}${credential.query}`,
    method,
    headers: {
      ...Object.fromEntries(credential.headers),
      Accept: 'application/json',
      'Accept-Encoding': acceptedCodings,
      ...headers,
    },
    body,
  }
}

/** Whether to stop is asked of rows as the contract reads them. */
const stopsWhen = ({ key, quota }: KeySession, { stopWhen, request }: LoadPlan): LoadPlan['stopWhen'] => {
  if (!stopWhen || !quota) return stopWhen
  const probe = request ?? requestNameOf(key, quota)
  return (row) => stopWhen({ ...row, status: quota.reads.statusOf(row, probe) })
}

/** What ends loads, and who follows their answers. */
export interface LoadWays {
  /** Ends a load; answers under way are still awaited where the load is recorded row by row. */
  readonly signal: AbortSignal
  /** Aborted before `signal` where no answer is awaited any more. */
  readonly dropped: AbortSignal
  readonly ear: LoadEar
}

export type PlayLoad = (probe: string, session: KeySession, plan: LoadPlan) => Promise<LoadOutcome>

/**
 * Puts the loads of a run on their keys, and each on record. Throws {@link ProbeBlocked} where no load is allowed, or
 * where the target answered an earlier one with 5xx: no other is put on it then.
 *
 * @param mostPerSecond what a key may send in a second; undefined for no ceiling.
 */
export const createLoads = (
  setup: RunSetup,
  log: RunLog,
  { signal, dropped, ear }: LoadWays,
  mostPerSecond: () => number | undefined,
): PlayLoad => {
  const { loadAllowed, redactor, clock, startedAt, tls, pinnedAddress, limits } = setup
  const { mostServerErrorPercent } = setup.ceilings ?? usualCeilings
  let stopped = false

  return async (probe, session, plan) => {
    if (!loadAllowed) throw new ProbeBlocked('load-not-allowed')
    if (stopped) throw new ProbeBlocked('server-errors')
    const perSecond = mostPerSecond()
    const stall = watchStalls(clock)
    const { quota } = session
    const request = quota && (plan.request ?? requestNameOf(session.key, quota))
    const told = {
      ledger: plan.id,
      probe,
      key: session.key.credential ?? session.key.name,
      ...(quota && { operation: request, quota: quota.spec.id }),
    }
    const result = await runLoad(
      {
        ...requestOf(setup, session, plan),
        connections: plan.connections,
        amount: plan.amount,
        shape: perSecond === undefined ? plan.shape : slowedShape(plan.shape, plan.amount, perSecond),
        stopWhen: stopsWhen(session, plan),
        ...(quota && rowReader(quota.contract, quota.shown)),
        abortsInOrder: () => plan.rowByRow === true && !dropped.aborted,
        ear,
        onRow: plan.rowByRow ? (row) => log.row(loadRowRecord(told, row)) : undefined,
        mostServerErrorPercent,
        timeoutMs: loadTimeoutMs(setup),
        connectTimeoutMs: limits?.connectMs,
        pinnedAddress,
        signal,
        tls,
        redact: redactor.body,
        redactHeader: redactor.header,
      },
      clock,
      startedAt,
    ).finally(stall.end)
    stopped ||= result.end === 'server-errors'
    if (result.problem !== null) log.note(session.now(), `${plan.id}: ${result.problem}`)
    const ledger = ledgerOf(told, result, stall.longestMs())
    log.ledger(ledger)
    const lateness = latenessOf(ledger)
    if (lateness !== null) log.note(session.now(), lateness)
    log.progress({ kind: 'sent', at: session.now(), count: result.sent })
    const last = result.rows.length > 0 ? result.rows.sentUs[result.rows.length - 1] / 1000 : session.now()
    session.loaded(probe, result.sent, last, dayShownIn(result.rows, session.key.quota), request)
    signal.throwIfAborted()
    const seen = quota?.reads.ledger(ledger) ?? ledger
    return { ledger: seen, ...refusalsIn(seen.rows, quota?.reads.clock() ?? log.clock()) }
  }
}
