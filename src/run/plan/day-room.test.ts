import { describe, expect, it } from 'vitest'
import { madeKey } from '../../evidence/testing/made-evidence.js'
import { DayUsedUp, type LoadPlan, type Probe, ProbeSkipped } from '../../probes/probe.js'
import { madeProbe } from '../../probes/testing/made-probe.js'
import { heldRun } from '../testing/held-run.js'
import { dayRoom } from './budget.js'

type DayRoomSetup = Parameters<typeof dayRoom>[0]

const [free, pro] = [madeKey('free'), madeKey('pro')]

/** Takes 150 requests, and tells something with 60. */
const probe = (part: Partial<Probe> = {}): Probe =>
  madeProbe({ id: 'made', played: 'each-plan', cost: () => ({ keyed: 150, minutes: 1 }), least: () => 60, ...part })

const setup = (left: number, part: Partial<DayRoomSetup> = {}) => {
  const { log, written } = heldRun(() => ({}))
  const state = { left }
  const made = () =>
    dayRoom({
      probe: probe(),
      settings: {},
      played: [free],
      keys: [free, pro],
      dayLeft: () => state.left,
      log,
      now: () => 0,
      ...part,
    })
  return { state, made, notes: () => written.flatMap((each) => (each.type === 'note' ? [each.text] : [])) }
}

const load = (part: Partial<LoadPlan> = {}): LoadPlan => ({ id: 'made-free', connections: 50, amount: 90, ...part })

describe("a probe on a key's day", () => {
  it('is played as it was planned where all of it fits', () => {
    const { made, notes } = setup(150)
    const room = made()
    expect(room.isShort(free)).toBe(false)
    expect(room.cut(free, load())).toEqual(load())
    expect(notes()).toEqual([])
  })

  it('is short where less is left, and says so', () => {
    const { made, notes } = setup(149)
    const room = made()
    expect(room.isShort(free)).toBe(true)
    expect(room.cutTo).toEqual({ key: 'free', needed: 150, left: 149 })
    expect(notes()).toEqual([
      'free: made was cut: it takes up to 150 requests, and 149 of the 1000 requests of its day are left',
    ])
  })

  it.each([
    ['least', {}, 60],
    ['all, where it can’t be smaller', { least: undefined }, 150],
  ])('is left out where there is no room for its %s, with what it would take', (_, part, needed) => {
    const { made } = setup(59, { probe: probe(part) })
    const skipped = new ProbeSkipped('day-too-small', { key: 'free', needed, left: 59 })
    expect(made).toThrow(skipped)
    try {
      made()
    } catch (error) {
      expect(error).toMatchObject({ reason: 'day-too-small', room: { key: 'free', needed, left: 59 } })
    }
  })

  it('leaves the key that puts the inventory back what that takes', () => {
    const { made } = setup(157, { played: [pro] })
    expect(made().isShort(pro)).toBe(true)
    expect(
      setup(158, { played: [pro] })
        .made()
        .isShort(pro),
    ).toBe(false)
  })

  it('of single questions is left out as well where what it changes could not be put back', () => {
    const single = { probe: probe({ played: 'once', least: undefined }), played: [pro] }
    expect(setup(157, single).made).toThrow(new ProbeSkipped('day-too-small', { key: 'pro', needed: 150, left: 149 }))
    expect(setup(158, single).made).not.toThrow()
  })

  it.each([
    ['spends the day on purpose', { spendsDay: true }, free],
    ['asks single questions that change nothing', { played: 'once' as const }, { ...free, request: 'items' }],
  ])('is not held back where it %s', (_, part, key) => {
    const room = setup(3, { probe: probe(part), played: [key], keys: [key] }).made()
    expect(room.cut(free, load())).toEqual(load())
    expect(() => room.takeOne(free)).not.toThrow()
  })
})

describe('a load on a short day', () => {
  it.each([
    ['as it is, where it fits', 100, {}, { amount: 90, connections: 50 }],
    ['cut to the room', 80, {}, { amount: 80, connections: 50 }],
    ['cut, with fewer connections', 20, {}, { amount: 20, connections: 20 }],
    ['cut by what has to be left after it', 90, { keeps: 9 }, { amount: 81 }],
  ])('is put on %s', (_, left, part, expected) => {
    const { state, made } = setup(149)
    const room = made()
    state.left = left
    expect(room.cut(free, load(part))).toMatchObject(expected)
  })

  it.each([
    ['the least that tells', 62, { least: 63 }, { needed: 63, left: 62 }],
    ['that and what has to be left', 70, { least: 63, keeps: 9 }, { needed: 72, left: 70 }],
    ['a single request', 0, {}, { needed: 1, left: 0 }],
  ])('ends the probe where there is no room for %s', (_, left, part, room) => {
    const { state, made } = setup(149)
    const days = made()
    state.left = left
    expect(() => days.cut(free, load(part))).toThrow(DayUsedUp)
    try {
      days.cut(free, load(part))
    } catch (error) {
      expect(error).toMatchObject({ room: { key: 'free', ...room } })
    }
  })

  it('leaves room for single questions or ends the probe', () => {
    const { state, made } = setup(149)
    const room = made()
    state.left = 1
    expect(() => room.takeOne(free)).not.toThrow()
    expect([room.has(free, 1), room.has(free, 2)]).toEqual([true, false])
    state.left = 0
    expect(() => room.takeOne(free)).toThrow(DayUsedUp)
  })
})
