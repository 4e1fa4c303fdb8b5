import { describe, expect, it } from 'vitest'
import { type LedgerRow, ledgerRow } from '../../evidence/ledger.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { scheduleShape } from '../../wire/load/schedule.js'
import { stopperOf } from '../../wire/load/stop-rule.js'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'
import { compliantClients, hammer, hammeringCost } from './compliant-clients.js'

const pro: KeyFacts = { name: 'pro', plan: 'pro', quota: { limit: 300, longer: 10_000 } }
const free: KeyFacts = { name: 'free', plan: 'free', quota: { limit: 60, longer: 1_000 } }
const asked = { clients: 20, work: 2.5, pressure: 1.5 }

/** What it does on a key, in order, and the load that it asks for. */
const played = async (key: KeyFacts, isMain = true) => {
  const steps: string[] = []
  const loads: LoadPlan[] = []
  const context = {
    key,
    isMain,
    windowMs: 60_000,
    lastUsedAt: () => 0,
    lastReturn: () => undefined,
    namesLongWaits: () => false,
    carriesOver: () => false,
    comesBackInBits: () => false,
    longestRoundTripMs: () => 1,
    restore: async () => void steps.push('restore'),
    waitUntil: async () => void steps.push('wait'),
    load: async (plan: LoadPlan) => {
      steps.push('load')
      loads.push(plan)
    },
  }
  await hammer(context as unknown as ProbeContext, asked)
  return { steps, load: loads[0] }
}

const answered = (status: number): LedgerRow => ledgerRow(madeLedger([{ sentMs: 0, status }]).rows, 0)

describe('clients that hammer', () => {
  it('cost nothing where they are not asked for, or where a day is short', () => {
    expect(hammeringCost(pro, { ...asked, pressure: 0 })).toEqual({ keyed: 0, minutes: 0 })
    expect(hammeringCost(free, asked)).toEqual({ keyed: 0, minutes: 0 })
    expect(hammeringCost(pro, asked)).toEqual({ keyed: 1_350, minutes: 4.1 })
  })

  it('begin on a whole quota, with nothing left to put back', async () => {
    expect((await played(pro)).steps).toEqual(['restore', 'wait', 'load'])
    expect((await played(pro, false)).steps).toEqual(['wait', 'load'])
    expect((await played(free)).steps).toEqual([])
  })

  it('ask all at once, so often that each window has what was asked for', async () => {
    const { load } = await played(pro)
    const shape = scheduleShape(load.schedule, load.amount)
    const due = Array.from({ length: load.amount }, (_, n) => shape?.(n) ?? Number.NaN)
    expect(load).toMatchObject({ id: 'hammering-pro', connections: 20, amount: 1_350 })
    expect(due.slice(0, 20)).toEqual(Array(20).fill(0))
    const inFirstWindow = due.filter((ms) => ms < 60_000).length
    expect(inFirstWindow).toBeGreaterThanOrEqual(450)
    expect(inFirstWindow).toBeLessThan(450 + 20)
  })

  it('end when the work is done, and at once with an answer that is neither 200 nor 429', async () => {
    const { load } = await played(pro)
    const stopper = load.stop && stopperOf(load.stop)
    const stops = (status: number) => stopper?.(answered(status))
    expect(Array.from({ length: 749 }, () => stops(200)).some(Boolean)).toBe(false)
    expect(stops(429)).toBe(false)
    expect(stops(403)).toBe(true)
    expect(stops(200)).toBe(true)
  })
})

describe('clients that obey', () => {
  it('are played on all keys but the smallest and those with a short day, or on the smallest where there are no others', async () => {
    const settings = compliantClients.settings.parse({ on: 'others' })
    const keyedOn = (key: KeyFacts, keys: readonly KeyFacts[]) => compliantClients.cost(key, settings, keys).keyed
    const short: KeyFacts = { name: 'short', plan: 'short', quota: { limit: 50, longer: 150 } }
    expect([free, pro, short].map((key) => keyedOn(key, [free, pro, short]))).toEqual([0, 1_070, 0])
    expect(keyedOn(free, [free])).toBe(0)
    const alone = compliantClients.settings.parse({ on: 'smallest' })
    const aloneOn = (keys: readonly KeyFacts[]) => compliantClients.cost(free, alone, keys).keyed
    expect([[free], [free, short], [free, pro]].map(aloneOn)).toEqual([470, 470, 0])
    const loaded: string[] = []
    const context = (key: KeyFacts) => ({
      key,
      keys: [free, pro],
      windowMs: 60_000,
      now: () => 0,
      longestRoundTripMs: () => 1,
      random: { float: () => 0.5 },
      load: async () => {
        loaded.push(key.name)
        return { ledger: madeLedger([]), refusals: 0, retryAt: undefined }
      },
      waitUntil: async () => {},
    })
    for (const key of [pro, free])
      await compliantClients.play(context(key) as unknown as ProbeContext<string>, { ...settings, rounds: 1 })
    expect(loaded).toEqual(['pro'])
  })

  it('have only the rest to do, where the key was spent before they came', async () => {
    const amounts: number[] = []
    const context = {
      key: pro,
      keys: [free, pro],
      windowMs: 60_000,
      now: () => 0,
      longestRoundTripMs: () => 1,
      random: { float: () => 0.5 },
      load: async ({ amount }: LoadPlan) => {
        amounts.push(amount)
        const status = amounts.length === 1 ? 429 : 200
        const rows = Array.from({ length: status === 200 ? amount : 4 }, () => ({ sentMs: 0, status }))
        return { ledger: madeLedger(rows), refusals: status === 429 ? 4 : 0, retryAt: undefined }
      },
      waitUntil: async () => {},
    }
    const settings = compliantClients.settings.parse({ clients: 4, work: 1.1 })
    await compliantClients.play(context as unknown as ProbeContext<string>, settings)
    expect(amounts).toEqual([330, 31])
  })

  it('have more to do, as far as that is planned for, if their work met the end of a window and nobody was refused', async () => {
    const amounts: number[] = []
    /** Three of the first load came into the window in which the others come. */
    let left = 25 + 25
    const context = {
      key: { name: 'one', plan: 'one', quota: { limit: 25, longer: Number.POSITIVE_INFINITY } },
      keys: [],
      windowMs: 4_000,
      now: () => 0,
      longestRoundTripMs: () => 1,
      random: { float: () => 0.5 },
      load: async ({ amount, connections }: LoadPlan) => {
        amounts.push(amount)
        const served = amounts.length === 1 ? amount : Math.min(amount, left)
        left -= amounts.length === 1 ? 25 + 3 : served
        const refusals = Math.min(amount - served, connections)
        const rows = [...Array(served).fill(200), ...Array(refusals).fill(429)].map((status) => ({ sentMs: 0, status }))
        if (refusals > 0) left = 25
        return { ledger: madeLedger(rows), refusals, retryAt: undefined }
      },
      waitUntil: async () => {},
    }
    const settings = compliantClients.settings.parse({ clients: 4, work: 1.1, rounds: 10 })
    await compliantClients.play(context as unknown as ProbeContext<string>, settings)
    expect(amounts).toEqual([28, 13, 13, 4])
  })

  it('are as many as a slow target takes to refuse one, until it does, and send no more than was planned', async () => {
    const loads: LoadPlan[] = []
    const context = (tookMs: number) => ({
      key: pro,
      keys: [free, pro],
      windowMs: 6_000,
      now: () => 0,
      longestRoundTripMs: () => tookMs,
      random: { float: () => 0.5 },
      load: async (plan: LoadPlan) => {
        loads.push(plan)
        const { connections, amount } = plan
        const admitted = loads.length === 1 ? amount - connections + 10 : amount
        const rows = Array.from({ length: amount }, (_, i) => ({ sentMs: 0, status: i < admitted ? 200 : 429 }))
        return { ledger: madeLedger(rows), refusals: amount - admitted, retryAt: undefined }
      },
      waitUntil: async () => {},
    })
    const settings = compliantClients.settings.parse({ clients: 4, work: 1.1, on: 'others' })
    const playedAt = async (tookMs: number) => {
      loads.length = 0
      await compliantClients.play(context(tookMs) as unknown as ProbeContext<string>, settings)
      expect(loads.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(330 + 16 * 4)
      return loads.map(({ connections, amount }) => [connections, amount])
    }
    expect(await playedAt(1)).toEqual([
      [4, 330],
      [4, 56],
    ])
    expect(await playedAt(100)).toEqual([
      [55, 330],
      [4, 4],
    ])
    expect((await playedAt(400))[0]).toEqual([150, 330])
  })
})
