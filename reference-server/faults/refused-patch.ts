import type { Call, Departure } from '../behaviour.js'

const isRefused = (call: Call) => call.ruling.windows.some(({ refused }) => refused)

/** Refuses a PATCH over the limit only once its body is read: `take` is given what it would have done. */
export const takesRefused =
  (take: (call: Call, patch: () => void) => void): Departure =>
  (before, { self }) => ({
    // Let through with its refusal noted, because the body is read only past the gate.
    meter(store, arrival, subject) {
      const ruling = before.meter(store, arrival, subject)
      const through = arrival.operation === 'updateInventory' && arrival.account !== undefined
      if (ruling instanceof Promise || !through || ruling.outcome !== 'refused') return ruling
      return { ...ruling, outcome: 'admitted' }
    },
    shownWindow: (ruling, call) =>
      before.shownWindow(isRefused(call) ? { ...ruling, outcome: 'refused' } : ruling, call),
    operations: {
      ...before.operations,
      updateInventory(call) {
        if (!isRefused(call)) return before.operations.updateInventory(call)
        take(call, () => {
          try {
            before.operations.updateInventory(call)
          } catch {
            // It is refused whatever else is wrong with it.
          }
        })
        return self().refusal(call)
      },
    },
  })

/** Carries a refused PATCH out once the wait is over that it was told, before whatever is asked next. */
export const carriesOutLater: Departure = (before, surroundings) => {
  let due: { atMs: number; patch: () => void }[] = []
  const refused = takesRefused(({ nowMs, ruling }, patch) => due.push({ atMs: nowMs + ruling.retryAfterMs, patch }))
  const carryOut = (nowMs: number) => {
    const ripe = due.filter(({ atMs }) => atMs <= nowMs)
    due = due.filter(({ atMs }) => atMs > nowMs)
    for (const { patch } of ripe) patch()
  }
  const { meter, ...rest } = refused(before, surroundings)
  return {
    ...rest,
    meter(store, arrival, subject) {
      carryOut(arrival.nowMs)
      return (meter ?? before.meter)(store, arrival, subject)
    },
  }
}
