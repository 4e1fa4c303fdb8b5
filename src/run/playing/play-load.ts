import type { Turn } from '../../contract/partitions.js'
import { askedRequest } from '../../contract/petstore/petstore.js'
import { windowLengthMs } from '../../contract/plans.js'
import { isLate, joinRows, type Ledger } from '../../evidence/ledger.js'
import { loadRowRecord } from '../../evidence/load-rows.js'
import { type KeyFacts, type LoadOutcome, type LoadPlan, ProbeBlocked } from '../../probes/probe.js'
import { loadReading } from '../../readings/load-reader.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { watchStalls } from '../../wire/load/latency.js'
import {
  type Generator,
  type LoadEar,
  type LoadOrder,
  type LoadPart,
  loadSpecOf,
  NobodyToSend,
} from '../../wire/load/load-order.js'
import { shareOf } from '../../wire/load/schedule.js'
import type { RunSetup } from '../run-setup.js'
import type { createEvents } from './events.js'
import type { KeySession } from './key-session.js'
import { refusalsIn } from './limit-hints.js'
import type { RunLog } from './run-log.js'

/** The record of what one machine sent of a load, how well it kept its schedule, and how long its process stalled. */
const ledgerOf = (order: LoadOrder, { result, stoodStillMs, origin }: LoadPart): Ledger => {
  const { planned, sent, answered, errors, timeouts, lost, samples, scheduleErrorMs, problem, rows } = result
  const { id, probe, key, request, quota, isSpread } = order
  return {
    head: {
      id: origin && isSpread ? `${id}-${origin.agent}` : id,
      probe,
      key,
      ...(quota === null ? {} : { operation: request ?? undefined, quota }),
      ...(origin && { origin }),
      phases: [{ name: 'load', fromRow: 0, startUs: rows.length > 0 ? rows.sentUs[0] : 0 }],
      samples: [...samples],
      counts: { planned, sent, answered, errors, timeouts, lost },
      scheduleErrorMs,
      stoodStillMs,
      problem,
    },
    rows,
  }
}

const joinedLedger = (parts: readonly Ledger[]): Ledger => {
  const [first, ...others] = parts
  if (others.length === 0) return first
  const counts = { ...first.head.counts }
  for (const { head } of others) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += head.counts[name]
  }
  return { head: { ...first.head, counts, samples: [] }, rows: joinRows(parts.map(({ rows }) => rows)) }
}

/** The load generator is large: only a run with a load imports it. */
export const loadTheGenerator = () => import('../../wire/load/run-load.js')

/** Sends the loads of a run from this machine, with the run's own keys. */
export const localGenerator = (setup: RunSetup): Generator => {
  const { clock, startedAt } = setup
  const { baseUrl, contract, timeScale } = setup.head
  return async (order, watch) => {
    const means = {
      ...setup,
      baseUrl,
      asked: askedRequest(contract, order.request),
      credential: setup.credentialOf(order.key),
      reading: loadReading(contract, timeScale, order),
    }
    const { runLoad } = await loadTheGenerator()
    const stall = watchStalls(clock)
    const result = await runLoad(loadSpecOf(order, means, watch), clock, startedAt).finally(stall.end)
    return [{ result, stoodStillMs: stall.longestMs() }]
  }
}

/** A refusal held back for half a window breaks THROTTLE-1; in a real minute, 10 s are enough to show that. */
const mostHeldMs = 10_000
/** A load listens this much longer, so that such a refusal still counts as answered. */
const longerMs = 100

/** How long the head of an answer may take under load, in milliseconds. */
export const loadTimeoutMs = ({ limits, head }: Pick<RunSetup, 'limits' | 'head'>): number =>
  Math.max(
    limits?.headMs ?? defaultExchangeLimits.headMs,
    Math.min(windowLengthMs('minute', head.timeScale) / 2, mostHeldMs) + longerMs,
  )

/** A target that answers half of a load with 5xx is overwhelmed, so the rest is not sent. */
const usualServerErrorPercent = 50

/** The load that a probe asks for, as an order for any machine; slowed down if the key may send less per second. */
const orderOf = (
  { limits, ceilings, head }: RunSetup,
  probe: string,
  { key, section: { name } }: KeySession,
  { id, connections, amount, request, schedule = null, stop = null, isSpread = false }: LoadPlan,
  perSecond: number | undefined,
): LoadOrder => ({
  id,
  probe,
  key: key.credential ?? key.name,
  request: request ?? key.request ?? null,
  quota: name ?? null,
  connections,
  amount,
  schedule: perSecond === undefined ? schedule : { kind: 'slowed', of: schedule, perSecond },
  stop,
  timeoutMs: loadTimeoutMs({ limits, head }),
  connectTimeoutMs: limits?.connectMs ?? null,
  mostServerErrorPercent: ceilings?.mostServerErrorPercent ?? usualServerErrorPercent,
  isSpread,
})

/** The load as one for each of these, side by side: together they keep its schedule. */
const ordersInTurn = (whole: LoadOrder, inTurn: readonly Turn[] = []): LoadOrder[] => {
  if (inTurn.length === 0) return [whole]
  const of = inTurn.length
  const orders = inTurn.map(({ credential, request }, nth) => ({
    ...whole,
    id: nth === 0 ? whole.id : [whole.id, ...(credential === whole.key ? [] : [credential]), request].join('-'),
    key: credential,
    request,
    connections: Math.max(1, shareOf(whole.connections, nth, of)),
    // What opens the window is the first of them.
    amount: shareOf(whole.amount, of - 1 - nth, of),
    schedule: whole.schedule && ({ kind: 'share', whole: whole.schedule, nth, of } as const),
  }))
  return orders.filter(({ amount }) => amount > 0)
}

/** The events of a run: each happens once, in the first load of its probe that gets that far. */
type Events = ReturnType<typeof createEvents>

/** What ends loads, and who listens to their responses. */
export interface LoadWays {
  /** Ends a load; if it is recorded row by row, responses in flight are still awaited. */
  readonly signal: AbortSignal
  /** Aborts before `signal` when no response is awaited any more. */
  readonly dropped: AbortSignal
  readonly ear: LoadEar
  /** The events that happen in the middle of loads, if there are any. */
  readonly events?: Events
}

/** Puts loads on their keys, and records them. Throws {@link ProbeBlocked} if load is not allowed, or 5xx ended one. */
export const createLoads = (
  setup: RunSetup,
  log: RunLog,
  { signal, dropped, ear, events }: LoadWays,
  mostPerSecond: (key: KeyFacts) => number | undefined,
) => {
  const { loadAllowed } = setup
  const generate = setup.generator ?? localGenerator(setup)
  let stopped = false

  return async (probe: string, session: KeySession, plan: LoadPlan): Promise<LoadOutcome> => {
    if (!loadAllowed) throw new ProbeBlocked('load-not-allowed')
    if (stopped) throw new ProbeBlocked('server-errors')
    const amount = Math.min(plan.amount, session.plannedLeft(probe))
    if (amount < (plan.least ?? 1)) throw new ProbeBlocked('requests-spent')
    const whole = orderOf(setup, probe, session, { ...plan, amount }, mostPerSecond(session.key))
    const send = async (order: LoadOrder) => {
      const sending = generate(order, {
        signal,
        abortsInOrder: () => plan.rowByRow === true && !dropped.aborted,
        ear,
        ...(events && { event: events.during(probe, session.key, order), disturbance: events.last }),
        onRow: plan.rowByRow
          ? (row) => log.row(loadRowRecord({ ledger: order.id, probe, key: order.key }, row))
          : undefined,
      })
      const parts = await sending.catch((error: unknown) => {
        throw error instanceof NobodyToSend ? new ProbeBlocked('agents-lost') : error
      })
      stopped ||= parts.some(({ result }) => result.end === 'server-errors')
      return joinedLedger(parts.map((part) => keepPart(log, session, order, part)))
    }
    const orders = plan.request === undefined ? ordersInTurn(whole, session.key.inTurn) : [whole]
    const ofEach = await Promise.all(orders.map(send))
    await events?.settled()
    const sent = ofEach.map(({ head: { counts, operation }, rows }, nth) => ({
      count: counts.sent,
      rows,
      request: operation,
      credential: orders[nth].key,
    }))
    session.loaded(probe, joinedLedger(ofEach).rows, sent)
    signal.throwIfAborted()
    const seen = joinedLedger(ofEach.map(session.reads.ledger))
    return { ledger: seen, ...refusalsIn(seen, session.reads.clock()) }
  }
}

const keepPart = (log: RunLog, session: KeySession, order: LoadOrder, part: LoadPart): Ledger => {
  const ledger = ledgerOf(order, part)
  const { id, problem, scheduleErrorMs } = ledger.head
  log.ledger(ledger)
  if (problem !== null) log.note(session.now(), `${id}: ${problem}`)
  if (isLate(ledger.head))
    log.note(
      session.now(),
      `${id} was not sent as planned (p99 ${scheduleErrorMs?.p99.toFixed(0)} ms late): its schedule proves nothing`,
    )
  log.progress({ kind: 'sent', at: session.now(), count: part.result.sent })
  return ledger
}
