import { describe, expect, it } from 'vitest'
import { madeKey } from '../../evidence/testing/made-evidence.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import { type Cost, type Probe, ProbeBlocked } from '../../probes/probe.js'
import { madeProbe } from '../../probes/testing/made-probe.js'
import {
  createBudget,
  isLeftAlone,
  keysOf,
  onePerPlan,
  plannedRequests,
  type ScheduledProbe,
  standInRestore,
} from './budget.js'

const [free, pro, spare] = [madeKey('free'), madeKey('pro'), madeKey('free', 'free-2')]

const probe = (id: string, played: Probe['played'], cost: Partial<Cost> = {}): Probe =>
  madeProbe({ id, played, cost: () => ({ keyed: 10, ...cost }) })

const scheduled = (...probes: readonly Probe[]): ScheduledProbe[] =>
  probes.map((each) => ({ probe: each, settings: {} }))
const row = (key: string, name: string, requests: number) => ({ key, probe: name, requests })

describe('the keys of a probe', () => {
  it('are the one with most room for single exchanges, the first of each plan for loads', () => {
    const keys = [free, spare, pro]
    expect(mainKeyOf(keys)).toBe(pro)
    expect(onePerPlan(keys)).toEqual([free, pro])
    expect(mainKeyOf([free, spare])).toBe(free)
    expect(keysOf(probe('no-key', 'once'), keys)).toEqual([pro])
    expect(keysOf(probe('burst', 'each-plan'), keys)).toEqual([free, pro])
  })

  it('are all of them for the first greeting', () => {
    expect(keysOf(probe('hello', 'each-key'), [free, spare, pro])).toEqual([free, spare, pro])
  })
})

it('a probe is not told of on keys on which it has nothing to do, unless that is so on all', () => {
  const only = (plan: string) => ({
    probe: madeProbe({
      id: 'compliant-clients',
      played: 'each-plan',
      cost: (key, { on }) => ({ keyed: key.plan === on ? 10 : 0 }),
    }),
    settings: { on: plan },
  })
  const scenario = [only('pro'), only('nobody')]
  const left = (key: typeof free, of = scenario) => of.map((each) => isLeftAlone(each, of, key, [free, pro]))
  expect(left(free)).toEqual([true, true])
  expect(left(pro)).toEqual([false, true])
  expect(left(free, [only('nobody')])).toEqual([false])
})

it('a key that a probe is played on only because another one dropped out has its room then', () => {
  const spendsSmallest = madeProbe({
    id: 'exhaustion',
    played: 'together',
    cost: ({ name }, _settings, keys) => ({ keyed: keys[0]?.name === name ? 10 : 0 }),
  })
  const budget = createBudget(plannedRequests(scheduled(spendsSmallest), [free, pro]))
  expect(() => budget.spend('pro', 'exhaustion')).toThrow('requests-spent')
  budget.extend(plannedRequests(scheduled(spendsSmallest), [pro]))
  expect(() => budget.spend('pro', 'exhaustion', 10)).not.toThrow()
})

describe('the requests that are planned', () => {
  it('are those that each probe declares, on each of its keys and without one', () => {
    const rows = plannedRequests(scheduled(probe('burst', 'each-plan'), probe('no-key', 'once', { strangers: 4 })), [
      free,
      pro,
    ])
    expect(rows).toEqual(
      expect.arrayContaining([
        row('free', 'burst', 10),
        row('pro', 'burst', 10),
        row('pro', 'no-key', 10),
        row('strangers', 'no-key', 4),
      ]),
    )
  })

  it('leave room to put the inventory back, after every single exchange and at the end', () => {
    const room = (...probes: readonly Probe[]) =>
      plannedRequests(scheduled(...probes), [free]).find((each) => each.probe === 'restore')
    expect(room(probe('no-key', 'once'))).toEqual(row('free', 'restore', 8))
    // A burst tries a PATCH while it is refused; should it be admitted, it has to be put back.
    expect(room(probe('burst', 'each-plan'))).toEqual(row('free', 'restore', 4))
  })

  it('leave room to put it back on the key of another plan, should the main one be refused by then', () => {
    const rows = plannedRequests(scheduled(probe('no-key', 'once')), [free, spare, pro])
    expect(rows.filter((each) => each.probe === standInRestore)).toEqual([row('free', standInRestore, 8)])
  })

  it('leave a tenth of the questions to be asked again, bursts aside', () => {
    const again = plannedRequests(scheduled(probe('no-key', 'once'), probe('burst', 'each-plan', { keyed: 1_000 })), [
      free,
    ])
    expect(again.at(-1)).toEqual(row('any', 'asked-again', 1))
  })
})

describe('a budget', () => {
  it('lets a probe send what it planned, and nothing more', () => {
    const budget = createBudget([row('free', 'hello', 2)])
    budget.spend('free', 'hello', 2)
    expect(() => budget.spend('free', 'hello')).toThrow(new ProbeBlocked('requests-spent'))
    expect(() => budget.spend('pro', 'hello')).toThrow(ProbeBlocked)
  })

  it('has room for a probe that is played twice', () => {
    const budget = createBudget(
      plannedRequests(scheduled(probe('row', 'each-plan'), probe('row', 'each-plan')), [free]),
    )
    budget.spend('free', 'row', 20)
    expect(() => budget.spend('free', 'row')).toThrow()
  })

  it('has room for the strangers of a probe that is played on each key', () => {
    const budget = createBudget(plannedRequests(scheduled(probe('row', 'each-plan', { strangers: 3 })), [free, pro]))
    budget.spend('strangers', 'row', 6)
  })

  it('knows whether a question may be asked again', () => {
    const budget = createBudget([row('any', 'asked-again', 1)])
    expect(budget.mayAskAgain()).toBe(true)
    budget.spend('any', 'asked-again')
    expect(budget.mayAskAgain()).toBe(false)
    expect(createBudget([]).mayAskAgain()).toBe(false)
  })

  it('takes in what another key has to do instead, without giving anything twice', () => {
    const probes = scheduled(probe('hello', 'each-key'), probe('no-key', 'once', { strangers: 4 }))
    const budget = createBudget(plannedRequests(probes, [free, pro]))
    budget.spend('free', 'hello', 10)
    budget.spend('strangers', 'no-key', 4)
    // The target does not know the pro key.
    budget.extend(plannedRequests(probes, [free]))
    budget.spend('free', 'no-key', 10)
    budget.spend('free', 'restore', 8)
    expect(() => budget.spend('free', 'hello')).toThrow()
    expect(() => budget.spend('strangers', 'no-key')).toThrow()
  })
})
