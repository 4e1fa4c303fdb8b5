import type { RequestHead } from '../../../../reference-server/http/bearer-keys.js'
import { petstoreBehaviour, settingsOf } from '../../../../reference-server/petstore-app.js'
import { pipelineOf } from '../../../../reference-server/pipeline.js'
import { retryAfterSeconds } from '../../../../reference-server/stores/ruling.js'
import { createMemoryStore } from '../../../../reference-server/stores/store.js'
import { heldClock } from '../../../../reference-server/testing/held-clock.js'
import type { ModelName } from '../../../contract/limiter-models.js'
import { type OperationId, operations, pathOf } from '../../../contract/petstore/operations.js'
import { petstore } from '../../../contract/petstore/petstore.js'
import type { Evidence } from '../../../evidence/evidence.js'
import type { Exchange } from '../../../evidence/exchange.js'
import type { Ledger, LedgerRow } from '../../../evidence/ledger.js'
import { madeEvidence, madeKey } from '../../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../../evidence/testing/made-ledger.js'
import { daily } from '../../../petstore/probes/daily.js'
import type { LoadPlan, Pet, ProbeContext, Question } from '../../../probes/probe.js'
import { answerReader } from '../../../readings/answers.js'
import { limitHintsOf } from '../../../run/playing/limit-hints.js'
import { scheduleShape } from '../../../wire/load/schedule.js'
import { stopperOf } from '../../../wire/load/stop-rule.js'

export interface SimulatedDay {
  readonly faults?: readonly string[]
  readonly variations?: readonly string[]
  readonly algorithm?: ModelName
  /** Requests sent on the key before the run, one every two seconds, and how long before the run they ended. */
  readonly prior?: { readonly requests: number; readonly endedMsBefore: number }
  /** Whether the scenario says that the key was not used before. */
  readonly unused: boolean
  /** How many requests of its day the scenario says were admitted before: only the rest is spent. */
  readonly spent?: number
  /** How much of the day is over, by the target's clock, at its first use. */
  readonly startMs?: number
  /** Whether its answers always show the day's limit, and a zero on every 429. */
  readonly showsDayOnly?: boolean
  /** The day's limit in its answers, if not the agreed one. */
  readonly showsLimit?: number
}

const quota = { limit: 60, longer: 1_000 }
const key = { ...madeKey('free'), quota }
const secret = 'a-key-of-the-free-plan'

/** A target without a socket, which answers by its own clock. */
const simulatedTarget = ({
  faults,
  variations,
  algorithm,
  startMs = 0,
  showsDayOnly = false,
  showsLimit,
}: SimulatedDay) => {
  const clock = heldClock()
  clock.ms = startMs
  const options = { faults, variations, algorithm, clock, keys: [{ plan: 'free' as const, secret }] }
  const behaviour = petstoreBehaviour(options, settingsOf(options))
  const pipeline = pipelineOf(behaviour, createMemoryStore(behaviour))
  const ask = async (operation: OperationId = 'listInventory'): Promise<MadeRow> => {
    const request = {
      method: operations[operation].method,
      url: `/v1${pathOf(operation, 1n)}`,
      headers: { authorization: `Bearer ${secret}` },
      rawHeaders: ['Authorization', `Bearer ${secret}`],
      socket: { remoteAddress: '127.0.0.1' },
    } as unknown as RequestHead
    const sentMs = clock.ms
    clock.ms += 1
    const call = await pipeline.enter(request, operation)
    const isAdmitted = call.ruling.outcome === 'admitted'
    const shown = showsDayOnly ? call.ruling.windows[1] : behaviour.shown(call.ruling, call)[0]
    const remaining = showsDayOnly && !isAdmitted ? 0 : shown.remaining
    const headers = behaviour.fields([{ ...shown, remaining }], call)
    clock.ms += 1
    return {
      sentMs,
      tookMs: clock.ms - sentMs,
      status: isAdmitted ? 200 : 429,
      limit: Number(headers['X-RateLimit-Limit'] === '1000' ? (showsLimit ?? 1_000) : headers['X-RateLimit-Limit']),
      remaining: Number(headers['X-RateLimit-Remaining']),
      reset: Number(headers['X-RateLimit-Reset']),
      retryAfter: isAdmitted ? undefined : retryAfterSeconds(call.ruling),
    }
  }
  return { clock, ask }
}

/** The run's record of its single exchanges and loads. */
const recorded = ({ clock, ask }: ReturnType<typeof simulatedTarget>, startedMs: number) => {
  const exchanges: Exchange[] = []
  const ledgers: Ledger[] = []
  const now = () => clock.ms - startedMs
  const asRow = async (operation?: OperationId): Promise<MadeRow> => {
    const row = await ask(operation)
    return { ...row, sentMs: row.sentMs - startedMs }
  }
  const single = async (probe: string, step: string, operation?: OperationId): Promise<Exchange> => {
    const { sentMs, tookMs, status, limit, remaining, reset, retryAfter } = await asRow(operation)
    const x = madeExchange({
      id: `x${exchanges.length + 1}`,
      probe,
      step,
      operation,
      sentAt: sentMs,
      tookMs,
      status,
      headers: {
        Date: new Date(clock.wallMs()).toUTCString(),
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(remaining),
        'X-RateLimit-Reset': String(reset),
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      },
    })
    exchanges.push(x)
    return x
  }
  const load = async ({ id, amount, schedule, stop }: LoadPlan) => {
    const shape = scheduleShape(schedule, amount)
    const isOver = stop && stopperOf(stop)
    const rows: MadeRow[] = []
    const beganMs = clock.ms
    for (let n = 0; n < amount; n += 1) {
      clock.ms = Math.max(clock.ms, beganMs + (shape?.(n) ?? 0))
      const row = await asRow()
      rows.push(row)
      const { sentMs, tookMs = 0, status, limit, remaining, retryAfter = Number.NaN } = row
      const seen = {
        sentUs: sentMs * 1_000,
        receivedUs: (sentMs + tookMs) * 1_000,
        status,
        limit,
        remaining,
        retryAfter,
      }
      if (isOver?.({ ...seen, flags: 0 } as LedgerRow)) break
    }
    const ledger = madeLedger(rows, { id, probe: 'daily' })
    ledgers.push(ledger)
    const waits = rows.flatMap(({ retryAfter }) => (retryAfter === undefined ? [] : [now() + retryAfter * 1_000 + 5]))
    return { ledger, refusals: waits.length, retryAt: waits.length > 0 ? Math.max(...waits) : undefined }
  }
  return { exchanges, ledgers, now, single, load }
}

/** The evidence of `daily` on a Free key of a simulated target, on a clock that only the waits move. */
export const playSimulatedDay = async (day: SimulatedDay): Promise<Evidence> => {
  const target = simulatedTarget(day)
  const { clock } = target
  for (let sent = 0; sent < (day.prior?.requests ?? 0); sent += 1) {
    await target.ask()
    clock.ms += 2_000
  }
  clock.ms += day.prior?.endedMsBefore ?? 0
  const startedMs = clock.ms
  const wallStartMs = clock.wallMs()
  const { exchanges, ledgers, now, single, load } = recorded(target, startedMs)
  const told = { from: wallStartMs - 1, to: wallStartMs + 1, told: true }
  const settings = daily.settings.parse({ unused: day.unused, spent: day.spent ?? 0 })
  await single('hello', 'list')
  const stage = {
    key,
    windowMs: 60_000,
    dayMs: 86_400_000,
    isShort: false,
    now,
    lastUsedAt: now,
    carriesOver: () => false,
    longestRoundTripMs: () => 2,
    usualRoundTripMs: () => 2,
    mostPerSecond: Number.POSITIVE_INFINITY,
    spentBefore: () => ({ sent: 0, refused: 0, refusedInRow: 0 }),
    hintsOf: (x: Exchange) => limitHintsOf(x, told, answerReader(petstore, petstore.quotas[0], 0)),
    waitUntil: async (at: number) => {
      clock.ms = Math.max(clock.ms, startedMs + at)
    },
    ask: ({ step, operation }: Question) => single('daily', step, operation),
    askOnce: ({ step }: Question) => single('daily', step),
    inventory: async (step: string) => {
      await single('daily', step)
      return [{ id: 1n, quantity: 2n, status: 'available' }]
    },
    inTurn: ([pet]: readonly Pet[]) => pet,
    willTouch: () => {},
    restore: async () => {},
    load,
  }
  await daily.play(stage as unknown as ProbeContext<string>, settings)
  const probes = ['hello', 'daily'].map((probe) => ({ probe, settings: probe === 'daily' ? settings : {} }))
  const evidence = madeEvidence([], { ledgers, run: { wallStartMs, keys: [key], probes } })
  return { ...evidence, exchanges }
}
