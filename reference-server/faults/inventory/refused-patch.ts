import type { Call, Departure } from '../../behaviour/behaviour.js'
import { updating } from '../../behaviour/departing.js'

const isRefused = (call: Call) => call.ruling.windows.some(({ refused }) => refused)

/** Refuses a PATCH over the limit only after its body was read, and gives `take` the change that it asked for. */
export const takesRefused =
  (take: (call: Call, patch: () => void) => void): Departure =>
  (before, surroundings) => ({
    // Admitted with its refusal noted, because bodies are read only after admission.
    meter(store, arrival, subject) {
      const ruling = before.meter(store, arrival, subject)
      const through = arrival.operation === 'updateInventory' && arrival.account !== undefined
      if (ruling instanceof Promise || !through || ruling.outcome !== 'refused') return ruling
      return { ...ruling, outcome: 'admitted' }
    },
    shownWindow: (ruling, call) =>
      before.shownWindow(isRefused(call) ? { ...ruling, outcome: 'refused' } : ruling, call),
    ...updating((call, update, self) => {
      if (!isRefused(call)) return update()
      take(call, () => {
        try {
          update()
        } catch {
          // It is refused even if its body or id is wrong.
        }
      })
      return self.refusal(call)
    })(before, surroundings),
  })

/** Carries out a refused PATCH after the wait that it was told, before the next request is served. */
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
