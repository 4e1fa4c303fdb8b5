import type { Arc } from './phase-circle.js'
import type { Tally } from './tally.js'

/** Starts of windows that make some refusal an early one. */
export interface EarlyArcs {
  /** The refusal lies certainly in the window, and fewer than L possible spendings were answered in it or later. */
  readonly certain: readonly Arc[]
  /** Fewer than L in the whole W before it: whichever window holds it begins within (sent - W, received]. */
  readonly hopeless: readonly Arc[]
  /** The start lies within the refusal's own interval, and on either side of it, W long, too few were answered. */
  readonly straddling: readonly Arc[]
}

/** The answer before which too few of the spendings that can precede the k-th refusal are left for a limit. */
const lastFull = ({ limit, spentBefore, spentReceived }: Tally, k: number): number => {
  const rank = spentBefore[k] - limit
  return rank < 0 ? Number.NEGATIVE_INFINITY : spentReceived[rank]
}

/** Those of every refusal; arcs that touch are united as they come. */
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
    // One that outlasts a window can have been decided in more than two of them.
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
