import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PlanName, WindowName } from '../../src/contract/plans.js'
import { anew, chargingOthers, type Departure, enforcing, type PetstoreBehaviour, together } from '../behaviour.js'
import type { Meter } from '../limiters/limiter.js'
import { type NamedWindow, refuse, ruled, type Subject, type Tally } from '../stores/ruling.js'

export const fixedPlans: readonly PlanName[] = ['free', 'pro', 'business']

/** Whether a subject is on a fixed plan: other faults leave Enterprise alone, because QUOTA-5 judges it. */
export const isFixed = ({ plan }: Subject) => plan !== undefined && fixedPlans.includes(plan)

/** Enforces another limit than the shown one, in this window and for these plans. */
export const enforces = (name: WindowName, plans: readonly PlanName[], change: (limit: number) => number): Departure =>
  enforcing(
    (window, { plan }) => (plan && plans.includes(plan) && window.name === name ? { limit: change(window.limit) } : {}),
    ({ remaining }, { limit }) => Math.min(remaining, limit),
  )

type OpenDeparted = (before: PetstoreBehaviour, window: NamedWindow, nowMs: number) => Meter

/** Replaces the meter of a minute or day, by default for fixed plans. */
export const meters =
  (name: WindowName, open: OpenDeparted, isMeant = isFixed): Departure =>
  (before) => {
    const departed = new Set<NamedWindow>()
    return {
      chargesOf: chargingOthers(before, (subject) => {
        if (isMeant(subject)) for (const window of subject.windows) if (window.name === name) departed.add(window)
        return subject
      }),
      openMeter: (allowance, nowMs) =>
        departed.has(allowance) ? open(before, allowance as NamedWindow, nowMs) : before.openMeter(allowance, nowMs),
    }
  }

export const metersMinute = (open: OpenDeparted): Departure => meters('minute', open)

/** No PATCH counts against the day, and no day refuses one. */
export const dayWithoutPatches =
  (isMeant?: (subject: Subject) => boolean): Departure =>
  (before, surroundings) => {
    let isPatch = false
    const opened: OpenDeparted = (_, window, nowMs) => {
      const day = before.openMeter(window, nowMs)
      return {
        ...day,
        available: (atMs) => (isPatch ? window.limit : day.available(atMs)),
        take: (atMs) => (isPatch ? undefined : day.take(atMs)),
      }
    }
    return {
      ...meters('day', opened, isMeant)(before, surroundings),
      meter(store, arrival, charges) {
        isPatch = arrival.operation === 'updateInventory'
        return before.meter(store, arrival, charges)
      },
    }
  }

type Decided = ReturnType<PetstoreBehaviour['decide']>

/** Decides differently for a fixed plan's key; `asBefore` is the original decision. */
export const deciding =
  (decide: (tally: Tally, nowMs: number, asBefore: (atMs?: number) => Decided) => Decided): Departure =>
  (before) => ({
    decide(charged, nowMs) {
      const [{ tally }] = charged
      const asBefore = (atMs = nowMs) => before.decide(charged, atMs)
      return isFixed(tally.subject) ? decide(tally, nowMs, asBefore) : asBefore()
    },
  })

/** Distorts a fixed plan's day at each admission, once its minute has refused a request. */
export const afterMinuteRefused = (distort: (day: Meter, nowMs: number) => void): Departure =>
  anew(() => {
    const refused = new WeakSet<Tally>()
    return deciding((tally, nowMs, asBefore) => {
      const [minute, day] = tally.meters
      if (minute.available(nowMs) === 0) refused.add(tally)
      const ruling = asBefore()
      if (ruling instanceof Promise || ruling.outcome !== 'admitted' || !refused.has(tally)) return ruling
      distort(day, nowMs)
      return ruled(tally, nowMs, 'admitted')
    })
  })

/** If `when` holds, reads the count and raises it in two steps, with turns of the event loop between them. */
export const racing = (when: (tally: Tally, nowMs: number) => boolean): Departure =>
  deciding(async (tally, nowMs, asBefore) => {
    if (!when(tally, nowMs)) return asBefore()
    if (tally.meters.some((meter) => meter.available(nowMs) === 0)) return refuse(tally, nowMs)
    // As long as a round trip to a store elsewhere.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    for (const meter of tally.meters) meter.take(nowMs)
    tally.refusedInARow = 0
    return ruled(tally, nowMs, 'admitted')
  })

export const countingRefused = (open: (allowance: NamedWindow, nowMs: number) => Meter): Departure =>
  together(
    metersMinute((_, window, nowMs) => open(window, nowMs)),
    deciding((tally, nowMs, asBefore) => {
      const ruling = asBefore()
      if (ruling instanceof Promise || ruling.outcome !== 'refused') return ruling
      tally.meters[0].take(nowMs)
      return ruled(tally, nowMs, 'refused')
    }),
  )
