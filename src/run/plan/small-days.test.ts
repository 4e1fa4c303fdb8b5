import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadProfiles } from '../../checks/framework/loads.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { inventorySpellings } from '../../probes/moves/refused-key.js'
import {
  DayUsedUp,
  type KeyFacts,
  type LoadPlan,
  type Probe,
  type ProbeContext,
  ProbeSkipped,
} from '../../probes/probe.js'
import { scheduleShape } from '../../wire/load/schedule.js'
import { stopperOf } from '../../wire/load/stop-rule.js'
import { heldRun } from '../testing/held-run.js'
import { dayRoom } from './day-room.js'
import { findProbe } from './probe-registry.js'

/** Of the load profiles a short day still shows more than the limit within one window. */
const beyondLimit = ['burst', 'split', 'cold-start', 'last-slot', 'recovery', 'overload']

const minuteMs = 60_000

const probeNamed = (id: string): Probe => {
  const probe = findProbe(id)
  if (!probe) throw new Error(`there is no probe ${id}`)
  return probe
}

/** Plays a probe on a key with so much of its day left, against a window that the first request opens. */
const playedOn = async (probe: Probe, key: KeyFacts, left: number) => {
  const { log } = heldRun(() => ({}))
  let [now, openedAt, used, sent, mostInWindow, inWindow] = [0, Number.NEGATIVE_INFINITY, 0, 0, 0, 0]
  const ask = (): MadeRow => {
    if (now >= openedAt + minuteMs) [openedAt, used, inWindow] = [now, 0, 0]
    sent += 1
    inWindow += 1
    mostInWindow = Math.max(mostInWindow, inWindow)
    const isAdmitted = used < key.quota.limit
    if (isAdmitted) used += 1
    now += 2
    const retryAfter = Math.ceil((openedAt + minuteMs - now) / 1_000)
    return { sentMs: now - 2, status: isAdmitted ? 200 : 429, ...(isAdmitted ? {} : { retryAfter }) }
  }
  const settings = probe.settings.parse({})
  const others = { name: 'pro', plan: 'pro', quota: { limit: 300, longer: 10_000 } } as const
  const keys = [key, others]
  const dayLeft = () => left - sent
  const run = { probe, settings, played: [key], keys, mainKey: others, dayLeft, log, now: () => now }
  let [isShort, end] = [false, 'completed']
  try {
    const room = dayRoom(run)
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
      minuteMs,
      longestWaitMs: 2 * minuteMs,
      blockedForMs: 0,
      isShort,
      hasRoom: (requests: number) => room.has(key, requests),
      random: { float: () => 0.5, int: (from: number) => from },
      now: () => now,
      lastUsedAt: () => now,
      longestRoundTripMs: () => 2,
      mostPerSecond: Number.POSITIVE_INFINITY,
      waitUntil: async (at: number) => {
        now = Math.max(now, at)
      },
      inventory: async () => [],
      restore: async () => {},
      hintsOf: (x: { readonly retryAt?: number }) => ({ retryAt: x.retryAt }),
      askOnce: async () => {
        room.takeOne(key)
        const { sentMs, status, retryAfter } = ask()
        return {
          ...madeExchange({ sentAt: sentMs, status }),
          retryAt: retryAfter === undefined ? undefined : now + retryAfter * 1_000,
        }
      },
      load: async (plan: LoadPlan) => {
        const { id, amount, schedule, stop } = room.cut(key, plan)
        const shape = scheduleShape(schedule, amount)
        const isOver = stop && stopperOf(stop)
        const rows: MadeRow[] = []
        const beganAt = now
        for (let n = 0; n < amount; n += 1) {
          now = Math.max(now, beganAt + (shape?.(n) ?? 0))
          rows.push(ask())
          if (isOver?.({ status: rows[n].status } as never)) break
        }
        const refusals = rows.filter(({ status }) => status === 429)
        const retryAt =
          refusals.length > 0 ? now + 1_000 * Math.max(...refusals.map((x) => x.retryAfter ?? 0)) : undefined
        return { ledger: madeLedger(rows, { id, probe: probe.id }), refusals: refusals.length, retryAt }
      },
    }
    await probe.play(context as unknown as ProbeContext<string>, settings)
  } catch (error) {
    if (error instanceof ProbeSkipped) end = 'skipped'
    else if (error instanceof DayUsedUp) end = 'used up'
    else throw error
  }
  return { sent, mostInWindow, end, isShort }
}

const keyOf = (minute: number, day: number): KeyFacts => ({
  name: 'enterprise',
  plan: 'enterprise',
  quota: { limit: minute, longer: day },
  others: [{ request: 'orders', cost: 1 }],
})

describe.each(loadProfiles)('on a short day %s', (id) => {
  const probe = probeNamed(id)

  it('never sends more than is left, whatever that is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 120 }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        async (minute, share) => {
          const left = Math.floor(minute * share)
          const { sent } = await playedOn(probe, keyOf(minute, 100 * minute), left)
          expect(sent).toBeLessThanOrEqual(left)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('can be smaller than it is, and never takes more for that', () => {
    const key = keyOf(50, 5_000)
    const settings = probe.settings.parse({})
    const most = probe.cost(key, settings, [key]).keyed
    expect(probe.least?.(key, settings, [key])).toBeLessThan(most)
  })
})

describe('what a short day still shows', () => {
  it.each(beyondLimit)('is more than the limit within a window: %s', async (id) => {
    const probe = probeNamed(id)
    const key = keyOf(50, 150)
    const least = probe.least?.(key, probe.settings.parse({}), [key]) ?? 0
    const { mostInWindow, isShort } = await playedOn(probe, key, least)
    expect(isShort).toBe(true)
    expect(mostInWindow).toBeGreaterThan(50)
  })

  it('is nothing where even the least does not fit', async () => {
    expect(await playedOn(probeNamed('burst'), keyOf(50, 150), 52)).toMatchObject({ end: 'skipped', sent: 0 })
  })
})
