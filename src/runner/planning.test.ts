import { expect, it } from 'vitest'
import { z } from 'zod'
import { madeKey } from '../evidence/testing/made-evidence.js'
import { type Cost, defineProbe, type Probe } from '../probes/probe.js'
import { planRun } from './planning.js'

const probe = (id: string, played: Probe['played'], cost: Cost) => ({
  probe: defineProbe({ id, played, settings: z.strictObject({}), cost: () => cost, play: async () => {} }),
  settings: {},
})

it('lasts as long as the key with most windows to wait for, and its single exchanges', () => {
  const load = probe('burst', 'each-key', { keyed: 90, strangers: 0, minutes: 3 })
  const single = probe('no-key', 'once', { keyed: 8, strangers: 2, minutes: 0 })
  const plan = planRun([load, single], [madeKey('free'), madeKey('pro')], 10)
  expect(plan.windows).toEqual([
    { key: 'free', minutes: 3 },
    { key: 'pro', minutes: 3 },
  ])
  expect(plan.durationMs).toBe(3 * 6_000 + 10 * 15 + 500)
})

it('counts a window for each limit’s worth of single exchanges on the key that they are played on', () => {
  const single = probe('no-key', 'once', { keyed: 130, strangers: 0, minutes: 0 })
  const plan = planRun([single], [madeKey('free')], 1)
  expect(plan.windows).toEqual([{ key: 'free', minutes: 2 }])
  expect(planRun([single], [madeKey('free'), madeKey('pro')], 1).windows.map(({ minutes }) => minutes)).toEqual([0, 0])
})

it('names the requests that each probe may send', () => {
  const plan = planRun([probe('no-key', 'once', { keyed: 8, strangers: 2, minutes: 0 })], [madeKey('free')], 1)
  expect(plan.requests).toContainEqual({ key: 'strangers', probe: 'no-key', requests: 2 })
})
