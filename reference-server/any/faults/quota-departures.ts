import { setImmediate as nextTurn } from 'node:timers/promises'
import type { QuotaSpec } from '../../../src/contract/api-contract.js'
import { type Ruling, ruled } from '../../metering/ruling.js'
import { mostLeft, type QuotaWindow, type Subject } from '../../metering/subject.js'
import type { Charge } from '../../stores/shared-store.js'
import type { ContractArrival, ContractBehaviour, ContractDeparture } from '../behaviour/contract-behaviour.js'
import { type Charged, decideJointly, isExceeded, joined, spendWhatIsLeft } from '../charging/joint-ruling.js'

/**
 * Keeps another window than the one that is promised; what is shown is what the promised one would have left of what was
 * counted, or what is left where that is less.
 */
export const enforces =
  (change: (window: QuotaWindow) => Partial<QuotaWindow>): ContractDeparture =>
  (before) => ({
    chargesOf: chargingOthers(before, ({ windows }) => ({
      windows: windows.map((each) => ({ ...each, ...change(each) })),
    })),
    shown: (ruling, call) => {
      const stated = before.chargesOf(call).flatMap(({ subject }) => subject.windows)
      return before.shown(ruling, call).map((state) => {
        const window = stated.find(({ name }) => name === state.window.name) ?? state.window
        const beyond = Math.max(0, mostLeft(state.window) - mostLeft(window))
        return { ...state, window, remaining: Math.max(0, state.remaining - beyond) }
      })
    },
  })

/** Counts those apart whom the quota counts together. */
export const countsApartBy =
  (concerns: (quota: QuotaSpec) => boolean, mark: (arrival: ContractArrival) => string): ContractDeparture =>
  (before, { contract }) => {
    const concerned = new Set(contract.quotas.filter(concerns).map(({ id }) => id))
    return {
      chargesOf: chargingOthers(before, ({ id, windows }, arrival) =>
        windows.some(({ name }) => concerned.has(name)) ? { id: `${id} ${mark(arrival)}` } : {},
      ),
    }
  }

/** Changes who is counted. */
export const chargingOthers =
  ({ chargesOf }: ContractBehaviour, change: (subject: Subject, arrival: ContractArrival) => Partial<Subject>) =>
  (arrival: ContractArrival): readonly Charge[] =>
    chargesOf(arrival).map(({ subject, ...charge }) => ({
      ...charge,
      subject: { ...subject, ...change(subject, arrival) },
    }))

/**
 * Looks at the counts, and raises them some turns of the event loop later: as long as a round trip to a store elsewhere. No
 * count goes beyond its limit, so that no wait becomes longer than the one that was named.
 */
export const racing: ContractDeparture = () => ({
  async decide(charged, nowMs): Promise<Ruling> {
    const passes = charged.every((each) => nowMs >= each.tally.bannedUntilMs && !isExceeded(each, nowMs))
    if (!passes) return decideJointly(charged, nowMs)
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    for (const each of charged) {
      spendWhatIsLeft(each, nowMs)
      each.tally.refusedInARow = 0
    }
    return joined(charged.map(({ tally }) => ruled(tally, nowMs, 'admitted')))
  },
})

/** Charges each admitted request to the other credentials as well, as far as they have something left. */
export const chargesAll: ContractDeparture = (before, { contract }) => {
  const others = (arrival: ContractArrival) =>
    Object.keys(contract.credentials)
      .filter((credential) => credential !== arrival.credential)
      .flatMap((credential) => before.chargesOf({ ...arrival, credential }))
  const quotaOf = ({ tally }: Charged) => tally.subject.windows[0].name
  return {
    chargesOf(arrival) {
      const own = before.chargesOf(arrival)
      const ids = new Set(own.map(({ subject }) => subject.id))
      const foreign = others(arrival).filter(({ subject }) => !ids.has(subject.id))
      // What costs nothing is only looked up: it never refuses.
      return [...own, ...foreign.map((charge) => ({ ...charge, cost: 0 }))]
    },
    decide(charged, nowMs) {
      const own = charged.filter(({ cost }) => cost > 0)
      const ruling = before.decide(own, nowMs)
      if (ruling instanceof Promise || ruling.outcome !== 'admitted') return ruling
      for (const each of charged) {
        const cost = own.find((one) => quotaOf(one) === quotaOf(each))?.cost ?? 0
        if (each.cost === 0) spendWhatIsLeft({ tally: each.tally, cost }, nowMs)
      }
      return ruling
    },
  } satisfies Partial<ContractBehaviour>
}
