import { constantRate, type Shape } from '../../load/schedule.js'
import type { ProbeContext } from '../probe.js'

/** An answer may take so long without a request of the schedule having to wait for a connection. */
const patienceMs = 500

const mostConnections = 100

/** Requests at so many a window, evenly spaced, over so many windows; with connections for answers that take long. */
export const evenPace = (
  { minuteMs }: Pick<ProbeContext, 'minuteMs'>,
  perWindow: number,
  windows: number,
): { readonly amount: number; readonly shape: Shape; readonly connections: number } => {
  const perSecond = (perWindow * 1000) / minuteMs
  const amount = Math.max(1, Math.floor(perWindow * windows))
  const wanted = Math.ceil((perSecond * patienceMs) / 1000) + 2
  return { amount, shape: constantRate(perSecond), connections: Math.min(amount, wanted, mostConnections) }
}
