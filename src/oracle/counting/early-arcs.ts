import type { Arc } from './phase-circle.js'
import type { Tally } from './tally.js'

/**
 * Starts of windows in which some refusal would be early: fewer than L requests can have spent the window by then.
 *
 * Example, with L = 3 and W = 60 s: three requests were answered at 5, 10 and 11 s, and one was refused within [20, 21]
 * s. A window that begins in (5, 20] s holds the refusal and at most two of the three: these starts are `certain`.
 * Without the one at 5 s no window explains the refusal: all that can hold it, (-40, 21] s, are `hopeless`. With that
 * one at -39.5 s instead, (20.5, 21] s are `straddling`: the window begins while the refusal is decided, and neither it
 * nor the window before it holds all three.
 */
export interface EarlyArcs {
  /** The window certainly holds the refusal, and fewer than L that may have spent were answered after its start. */
  readonly certain: readonly Arc[]
  /** Fewer than L were answered in all of the W before the refusal, so that no window can hold it. */
  readonly hopeless: readonly Arc[]
  /** The start lies within the refusal's own interval, and too few were answered on either side of it. */
  readonly straddling: readonly Arc[]
}

/** A window that begins after this instant holds fewer than L of those that may have spent before the k-th refusal. */
const lastFull = ({ limit, spentBefore, spentReceived }: Tally, k: number): number => {
  const rank = spentBefore[k] - limit
  return rank < 0 ? Number.NEGATIVE_INFINITY : spentReceived[rank]
}

/** The starts that each refusal rules out; intervals that touch are joined. */
export const earlyArcs = (tally: Tally): EarlyArcs => {
  const { history, refused, windowMs } = tally
  const certain: Arc[] = []
  const hopeless: Arc[] = []
  const straddling: Arc[] = []
  for (let k = 0; k < refused.length; k++) {
    const sent = history.sentMs[refused[k]]
    const received = history.receivedMs[refused[k]]
    const full = lastFull(tally, k)
    if (full <= sent - windowMs && received - sent < windowMs) {
      unite(hopeless, sent - windowMs, received)
      continue
    }
    unite(certain, Math.max(received - windowMs, full), sent)
    // A refusal that took W or longer can have been decided in more than two windows: it rules out no more.
    if (received - sent >= windowMs) continue
    unite(straddling, Math.max(sent, full + windowMs), received)
  }
  return { certain, hopeless, straddling }
}

const unite = (merged: Arc[], arcFrom: number, arcTo: number): void => {
  if (arcFrom >= arcTo) return
  let [from, to] = [arcFrom, arcTo]
  for (let last = merged.at(-1); last && last.to >= from && last.from <= to; last = merged.at(-1)) {
    from = Math.min(from, last.from)
    to = Math.max(to, last.to)
    merged.pop()
  }
  merged.push({ from, to })
}
