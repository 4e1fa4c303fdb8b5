import type { OperationId } from '../../src/contract/petstore/operations.js'
import { anew, type Call, type Departure, entryOf, type PetstoreBehaviour, together, updating } from '../behaviour.js'
import { whenKnown } from '../pipeline.js'
import type { Charge, Ruling } from '../stores/ruling.js'
import type { LimiterStore } from '../stores/store.js'

type Metered = ReturnType<PetstoreBehaviour['meter']>

/** Meters an operation differently; `asBefore` is the original metering. */
const metering =
  (
    operation: OperationId,
    meter: (store: LimiterStore, charges: readonly Charge[], nowMs: number, asBefore: () => Metered) => Metered,
  ): Departure =>
  (before) => ({
    meter(store, arrival, charges) {
      const asBefore = () => before.meter(store, arrival, charges)
      return arrival.operation === operation ? meter(store, charges, arrival.nowMs, asBefore) : asBefore()
    },
  })

const isSomeLeft = ({ windows }: Ruling): boolean => windows.every(({ remaining }) => remaining > 0)

export const countsTwice = (operation: OperationId): Departure =>
  metering(operation, (store, charges, nowMs, asBefore) =>
    whenKnown(asBefore(), (ruling) => (isSomeLeft(ruling) ? store.take(charges, nowMs) : ruling)),
  )

/** An operation is admitted while any quota is left, and not counted. */
export const leavesUncounted = (operation: OperationId): Departure =>
  metering(operation, (store, charges, nowMs, asBefore) =>
    whenKnown(store.peek(charges, nowMs), (ruling) => (isSomeLeft(ruling) ? ruling : asBefore())),
  )

/** An operation is counted, and given back after its answer. */
export const countsBack = (operation: OperationId): Departure =>
  metering(operation, (store, charges, nowMs, asBefore) =>
    whenKnown(asBefore(), (ruling) => {
      if (ruling.outcome === 'admitted') void store.refund(charges, nowMs)
      return ruling
    }),
  )

/** Serves one more request of an operation in each window that is spent. */
export const admitsOneMore = (operation: OperationId): Departure =>
  anew(() => {
    const servedIn = new Map<string, number>()
    return metering(operation, (_, [{ subject }], __, asBefore) =>
      whenKnown(asBefore(), (ruling): Ruling => {
        const [{ refused, resetMs }] = ruling.windows
        if (!refused || servedIn.get(subject.id) === resetMs) return ruling
        servedIn.set(subject.id, resetMs)
        return { ...ruling, outcome: 'admitted', retryAfterMs: 0 }
      }),
    )
  })

/** Refuses an operation the last places of a window, so many of them. */
export const refusesLast = (places: number, operation: OperationId): Departure =>
  metering(operation, (store, charges, nowMs, asBefore) =>
    whenKnown(asBefore(), (ruling): Ruling => {
      const [minute, ...others] = ruling.windows
      if (ruling.outcome !== 'admitted' || minute.remaining >= places) return ruling
      void store.refund(charges, nowMs)
      const windows = [{ ...minute, remaining: 0, refused: true }, ...others]
      return { ...ruling, outcome: 'refused', windows, retryAfterMs: minute.resetMs - nowMs }
    }),
  )

/** PATCHes that arrive while another PATCH of the same key waits to be counted share its count. */
export const countsMomentOnce: Departure = (before, { sleep }) => {
  const waiting = new Map<string, Promise<Ruling>>()
  return {
    meter(store, arrival, charges) {
      if (arrival.operation !== 'updateInventory') return before.meter(store, arrival, charges)
      const [{ subject }] = charges
      const counted =
        waiting.get(subject.id) ??
        sleep(20).then(() => {
          waiting.delete(subject.id)
          return before.meter(store, { ...arrival, nowMs: before.nowMs() }, charges)
        })
      waiting.set(subject.id, counted)
      return counted
    },
  }
}

/** Gives back, before the answer, each PATCH that leaves the quantity as it was. */
export const givesBackUnchanging = (): Departure => {
  const unchanging = new Set<Call>()
  return together(
    updating((call, asBefore, self) => {
      const before = entryOf(call, self)
      const answer = asBefore()
      if (before?.quantity === entryOf(call, self)?.quantity) unchanging.add(call)
      return answer
    }),
    () => ({
      settle: (store, call) => (unchanging.delete(call) ? store.refund(call.charges, call.nowMs) : call.ruling),
    }),
  )
}
