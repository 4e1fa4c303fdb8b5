import type { Meter } from '../../limiters/meter.js'

/**
 * So many nodes behind one address, which take turns and each count alone. They name the wait after which all of them
 * serve, so that no promise is broken.
 */
export const countingAlone = (count: number, open: () => Meter): Meter => {
  const nodes = Array.from({ length: count }, open)
  let turn = 0
  const node = () => nodes[turn % nodes.length]
  const latest = (moment: (each: Meter) => number) => Math.max(...nodes.map(moment))
  return {
    available: (atMs) => node().available(atMs),
    take(atMs) {
      node().take(atMs)
    },
    refund: (atMs) => node().refund(atMs),
    resetMs(atMs) {
      // This is asked last about a request: the next request goes to the next node.
      turn += 1
      return latest((each) => each.resetMs(atMs))
    },
    admitsAtMs: (atMs, cost) => latest((each) => each.admitsAtMs(atMs, cost)),
    forgetAtMs: () => latest((each) => each.forgetAtMs()),
  }
}
