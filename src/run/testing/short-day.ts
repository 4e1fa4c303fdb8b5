import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import type { HistoryEvent } from '../../oracle/testing/made-history.js'
import { inventorySpellings } from '../../probes/moves/refused-key.js'
import {
  DayUsedUp,
  type KeyFacts,
  type LoadPlan,
  type Probe,
  ProbeBlocked,
  type ProbeContext,
  ProbeSkipped,
} from '../../probes/probe.js'
import { scheduleShape } from '../../wire/load/schedule.js'
import { stopperOf } from '../../wire/load/stop-rule.js'
import { dayRoom } from '../plan/budget.js'
import { findProbe } from '../registry.js'
import { heldRun } from './held-run.js'

const minuteMs = 60_000

/** How long each request takes. */
const tookMs = 2

export const probeNamed = (id: string): Probe => {
  const probe = findProbe(id)
  if (!probe) throw new Error(`there is no probe ${id}`)
  return probe
}

export const keyOf = (minute: number, day: number): KeyFacts => ({
  name: 'enterprise',
  plan: 'enterprise',
  quota: { limit: minute, longer: day },
  others: [{ request: 'orders', cost: 1 }],
})

/** Decides on a request at a moment: admitted or not and, if not, the wait that the refusal names, in whole seconds. */
type Decide = (nowMs: number) => { readonly admitted: boolean; readonly waitMs?: number }

/** Plays probes one after the other on a key that has `left` requests of its day. */
export const playShortDay = async (probes: readonly Probe[], key: KeyFacts, left: number, decide: Decide) => {
  const { log } = heldRun(() => ({}))
  const events: HistoryEvent[] = []
  const ends: string[] = []
  let [now, isShort] = [0, false]
  const ask = (): MadeRow & { readonly retryAt?: number } => {
    const { admitted, waitMs } = decide(now + tookMs / 2)
    events.push({ sentMs: now, receivedMs: now + tookMs, outcome: admitted ? 'admitted' : 'refused' })
    now += tookMs
    const retryAfter = waitMs === undefined ? undefined : Math.ceil(waitMs / 1_000)
    const named = retryAfter === undefined ? {} : { retryAfter, retryAt: now + retryAfter * 1_000 }
    return { sentMs: now - tookMs, status: admitted ? 200 : 429, ...named }
  }
  const pro = { name: 'pro', plan: 'pro', quota: { limit: 300, longer: 10_000 } } as const
  const keys = [key, pro]
  const play = async (probe: Probe): Promise<string> => {
    const settings = probe.settings.parse({})
    try {
      const dayLeft = () => left - events.length
      const room = dayRoom({ probe, settings, played: [key], keys, dayLeft, log, now: () => now })
      isShort = room.isShort(key)
      const context = {
        key,
        keys,
        isMain: false,
        ordinary: { operation: 'listInventory' },
        spellings: inventorySpellings,
        hasInventory: true,
        readOnly: false,
        others: [],
        windowMs: minuteMs,
        longestWaitMs: 2 * minuteMs,
        blockedForMs: 0,
        isShort,
        hasRoom: (requests: number) => room.has(key, requests),
        random: { float: () => 0.5, int: (from: number) => from },
        now: () => now,
        lastUsedAt: () => events.at(-1)?.sentMs ?? now,
        lastReturn: () => undefined,
        namesLongWaits: () => false,
        carriesOver: () => false,
        longestRoundTripMs: () => tookMs,
        usualRoundTripMs: () => tookMs,
        mostPerSecond: Number.POSITIVE_INFINITY,
        waitUntil: async (at: number) => {
          now = Math.max(now, at)
        },
        inventory: async () => [],
        restore: async () => {},
        hintsOf: ({ retryAt }: { readonly retryAt?: number }) => ({ retryAt }),
        askOnce: async () => {
          room.takeOne(key)
          const { sentMs, status, retryAt } = ask()
          return { ...madeExchange({ sentAt: sentMs, status }), retryAt }
        },
        load: async (plan: LoadPlan) => {
          const { id, amount, least = 1, schedule, stop } = room.cut(key, plan)
          if (amount < least) return Promise.reject(new ProbeBlocked('requests-spent'))
          const shape = scheduleShape(schedule, amount)
          const isOver = stop && stopperOf(stop)
          const rows: MadeRow[] = []
          const beganAt = now
          for (let n = 0; n < amount; n += 1) {
            now = Math.max(now, beganAt + (shape?.(n) ?? 0))
            rows.push(ask())
            if (isOver?.({ status: rows[n].status } as never)) break
          }
          const waits = rows.flatMap(({ status, retryAfter }) => (status === 429 ? [retryAfter ?? 0] : []))
          const retryAt = waits.length > 0 ? now + 1_000 * Math.max(...waits) : undefined
          return { ledger: madeLedger(rows, { id, probe: probe.id }), refusals: waits.length, retryAt }
        },
      }
      await probe.play(context as unknown as ProbeContext<string>, settings)
      return 'completed'
    } catch (error) {
      if (error instanceof ProbeSkipped) return 'skipped'
      if (error instanceof DayUsedUp) return 'used up'
      throw error
    }
  }
  for (const probe of probes) ends.push(await play(probe))
  return { events, ends, isShort }
}
