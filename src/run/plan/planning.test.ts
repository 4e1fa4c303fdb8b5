import { expect, it } from 'vitest'
import { madeKey } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import type { Cost, Probe } from '../../probes/probe.js'
import { madeProbe } from '../../probes/testing/made-probe.js'
import { areInEachOthersWay, fittingIn, planSection, type Section, spentOnRepeats, usuallyUpToMs } from './planning.js'

const probe = (id: string, played: Probe['played'], cost: Cost) => ({
  probe: madeProbe({ id, played, cost: () => cost }),
  settings: {},
})

it('lasts as long as the key with most windows to wait for, and its single exchanges', () => {
  const load = probe('burst', 'each-plan', { keyed: 90, strangers: 0, minutes: 3 })
  const single = probe('no-key', 'once', { keyed: 8, strangers: 2, minutes: 0 })
  const plan = planSection({ scheduled: [load, single], keys: [madeKey('free'), madeKey('pro')], windowMs: 6000 })
  expect(plan.windows).toEqual([
    { key: 'free', minutes: 3 },
    { key: 'pro', minutes: 3 },
  ])
  expect(plan.durationMs).toBe(3 * 6_000 + 10 * 15 + 500)
})

it('lasts as long as a longer quota beside takes to have room again, where that is longer', () => {
  const load = probe('burst', 'each-plan', { keyed: 90, strangers: 0, minutes: 1 })
  const row = probe('header-row', 'each-plan', { keyed: 5, strangers: 0, minutes: 0 })
  const key = { ...madeKey('free'), longerBeside: [{ most: 10, windows: 2 }] }
  const plan = planSection({ scheduled: [row, load], keys: [key], windowMs: 3000 })
  // Half of it for a row of five, all of it for a load of 90.
  expect(plan.windows).toEqual([{ key: 'free', minutes: 3 }])
})

it('waits for no longer quota beside whose window is as long as a day', () => {
  const load = probe('burst', 'each-plan', { keyed: 90, strangers: 0, minutes: 1 })
  const key = { ...madeKey('free'), longerBeside: [{ most: 300, windows: 28_800 }] }
  expect(planSection({ scheduled: [load], keys: [key], windowMs: 3000 }).windows).toEqual([{ key: 'free', minutes: 1 }])
})

it('counts a window for each limit’s worth of single exchanges on the key that they are played on', () => {
  const single = probe('no-key', 'once', { keyed: 130, strangers: 0, minutes: 0 })
  const plan = planSection({ scheduled: [single], keys: [madeKey('free')], windowMs: 60000 })
  expect(plan.windows).toEqual([{ key: 'free', minutes: 2 }])
  expect(
    planSection({ scheduled: [single], keys: [madeKey('free'), madeKey('pro')], windowMs: 60000 }).windows.map(
      ({ minutes }) => minutes,
    ),
  ).toEqual([0, 0])
})

it('counts what carries the whole key in another form, and the rows of every key, for these are paced too', () => {
  const odd = probe('bad-keys', 'once', { keyed: 40, strangers: 30, strangersWithKey: 12, minutes: 0 })
  const row = probe('header-row', 'each-plan', { keyed: 8, strangers: 0, minutes: 0 })
  const minutesOf = (...probes: Section['scheduled']) =>
    planSection({ scheduled: probes, keys: [madeKey('free')], windowMs: 60000 }).windows[0].minutes
  expect(minutesOf(odd)).toBe(0)
  expect(minutesOf(odd, row)).toBe(1)
})

it('names the requests that each probe may send', () => {
  const plan = planSection({
    scheduled: [probe('no-key', 'once', { keyed: 8, strangers: 2, minutes: 0 })],
    keys: [madeKey('free')],
    windowMs: 60000,
  })
  expect(plan.requests).toContainEqual({ key: 'strangers', probe: 'no-key', requests: 2 })
})

it('gives what is played again 1.4 times the plan, or what its longest probe takes, and beside that a load that the scenario lacks', () => {
  const load = (id: string, keyed: number, minutes: number) => probe(id, 'each-plan', { keyed, strangers: 0, minutes })
  const [burst, split, row] = [load('burst', 90, 3), load('split', 120, 2), load('header-row', 8, 1)]
  const againOf = (...scheduled: Section['scheduled']) => {
    const plan = planSection({ scheduled, keys: [madeKey('free')], windowMs: 1000 }, [burst, split, row])
    return [plan.againMs, plan.requests.find(({ ifUntold }) => ifUntold)?.requests]
  }
  expect(againOf(burst, split, row)).toEqual([9_100, 90 + 120 + 8])
  expect(againOf(burst, row)).toEqual([6_300, 98 + 120])
  expect(againOf(row)).toEqual([6_000, 8 + 90 + 120])
})

it('has a run usually last 1.6 times as long as its plan, and never longer than it may', () => {
  expect(usuallyUpToMs({ durationMs: 10_000, againMs: 14_000 })).toBe(16_000)
  expect(usuallyUpToMs({ durationMs: 10_000, againMs: 2_000 })).toBe(12_000)
})

it.each([
  [[0, 120], 4_000],
  [[0, 121], 0],
  [[], 4_000],
])(
  'takes what loads took from the time for repeats, unless this machine stalled for more than 1/50 of a window: %j ms of 6 s',
  (stalls, spentMs) => {
    const loads = stalls.map((stoodStillMs) => madeLedger([], { stoodStillMs }))
    expect(spentOnRepeats(4_000, loads, 6_000)).toBe(spentMs)
  },
)

it.each([
  ['took longer than 1/40 of a window, and than any single request', [400, 400, 10], 300, true],
  ['took as long as single requests do', [400, 400, 10], 400, false],
  ['took no longer than 1/40 of a window', [250, 250, 10], 30, false],
  ['were quick, though not all of them', [400, 10, 10], 30, false],
])('has loads be in each other’s way where half of the answers of one %s', (_, tookMs, longestMs, expected) => {
  const load = madeLedger(tookMs.map((ms, i) => ({ sentMs: i, tookMs: ms })))
  expect(areInEachOthersWay([madeLedger([]), load], longestMs, 10_000)).toBe(expected)
})

it('plays again what ends within the time that is left for it, one behind the other', () => {
  const group = [3, 2].map((minutes) => probe(`takes-${minutes}`, 'each-plan', { keyed: 9, strangers: 0, minutes }))
  const fitting = (leftMs: number) =>
    fittingIn(group, { keys: [madeKey('free'), madeKey('pro')], windowMs: 1000 }, leftMs).map((each) => each.probe.id)
  expect(fitting(2_999)).toEqual([])
  expect(fitting(4_999)).toEqual(['takes-3'])
  expect(fitting(5_000)).toEqual(['takes-3', 'takes-2'])
})
