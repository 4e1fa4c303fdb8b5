import { windowMs } from '../../contract/plans.js'
import type { Ledger } from '../../evidence/ledger.js'
import { loadRowRecord } from '../../evidence/load-rows.js'
import { type KeyFacts, type LoadOutcome, type LoadPlan, ProbeBlocked } from '../../probes/probe.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { type LoadOrder, type LoadPart, NobodyToSend } from '../../wire/load/load-order.js'
import type { LoadEar } from '../../wire/load/load-spec.js'
import type { RunSetup } from '../run-setup.js'
import { usualCeilings } from './ceilings.js'
import { type KeySession, requestNameOf } from './key-session.js'
import { dayShownIn, refusalsIn } from './limit-hints.js'
import { joinedLedger, latenessOf, ledgerOf } from './load-ledger.js'
import { localGenerator } from './local-generator.js'
import type { RunLog } from './run-log.js'

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

/** A load that a probe asks for as an order that any machine can be given. */
const orderOf = (
  probe: string,
  { key, quota }: KeySession,
  plan: LoadPlan,
  { timeoutMs, connectTimeoutMs, mostServerErrorPercent, perSecond }: OrderBounds,
): LoadOrder => ({
  id: plan.id,
  probe,
  key: key.credential ?? key.name,
  request: quota ? (plan.request ?? requestNameOf(key, quota)) : null,
  quota: quota?.spec.id ?? null,
  connections: plan.connections,
  amount: plan.amount,
  schedule:
    perSecond === undefined ? (plan.schedule ?? null) : { kind: 'slowed', of: plan.schedule ?? null, perSecond },
  stop: plan.stop ?? null,
  timeoutMs,
  connectTimeoutMs: connectTimeoutMs ?? null,
  mostServerErrorPercent,
  isSpread: plan.isSpread ?? false,
})

interface OrderBounds extends Pick<LoadOrder, 'timeoutMs' | 'mostServerErrorPercent'> {
  readonly connectTimeoutMs?: number
  readonly perSecond?: number
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
  mostPerSecond: (key: KeyFacts) => number | undefined,
): PlayLoad => {
  const { loadAllowed, limits } = setup
  const { mostServerErrorPercent } = setup.ceilings ?? usualCeilings
  const generate = setup.generator ?? localGenerator(setup)
  let stopped = false

  return async (probe, session, plan) => {
    if (!loadAllowed) throw new ProbeBlocked('load-not-allowed')
    if (stopped) throw new ProbeBlocked('server-errors')
    const { quota } = session
    const order = orderOf(probe, session, plan, {
      timeoutMs: loadTimeoutMs(setup),
      connectTimeoutMs: limits?.connectMs,
      mostServerErrorPercent,
      perSecond: mostPerSecond(session.key),
    })
    const sending = generate(order, {
      signal,
      abortsInOrder: () => plan.rowByRow === true && !dropped.aborted,
      ear,
      onRow: plan.rowByRow
        ? (row) => log.row(loadRowRecord({ ledger: plan.id, probe, key: order.key }, row))
        : undefined,
    })
    const parts = await sending.catch((error: unknown) => {
      throw error instanceof NobodyToSend ? new ProbeBlocked('agents-lost') : error
    })
    const ledgers = parts.map((part) => keepPart(log, session, order, part))
    stopped ||= parts.some(({ result }) => result.end === 'server-errors')
    const ledger = joinedLedger(ledgers)
    const { rows, head } = ledger
    const last = rows.length > 0 ? rows.sentUs[rows.length - 1] / 1000 : session.now()
    const request = order.request ?? undefined
    session.loaded(probe, head.counts.sent, last, dayShownIn(rows, session.key.quota), request)
    signal.throwIfAborted()
    const seen = quota?.reads.ledger(ledger) ?? ledger
    return { ledger: seen, ...refusalsIn(seen, quota?.reads.clock() ?? log.clock()) }
  }
}

/** Puts what one machine sent on record, and what is to be said of it. */
const keepPart = (log: RunLog, session: KeySession, order: LoadOrder, part: LoadPart): Ledger => {
  const ledger = ledgerOf(order, part)
  const { id, problem } = ledger.head
  log.ledger(ledger)
  if (problem !== null) log.note(session.now(), `${id}: ${problem}`)
  const lateness = latenessOf(ledger)
  if (lateness !== null) log.note(session.now(), lateness)
  log.progress({ kind: 'sent', at: session.now(), count: part.result.sent })
  return ledger
}
