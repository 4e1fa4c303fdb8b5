import type { Schedule } from '../../wire/load/schedule.js'
import type { ProbeContext } from '../probe.js'

/** Answers may take so long without delaying the schedule: 60 a minute get three connections, 1,000 a minute 11. */
const patienceMs = 500
/** Two beside those, for an answer that takes longer now and then. */
const spareConnections = 2
const mostConnections = 100

/** `perWindow` requests in each window, evenly spaced, over `windows` windows; with connections for slow answers. */
export const evenPace = (
  { minuteMs }: Pick<ProbeContext, 'minuteMs'>,
  perWindow: number,
  windows: number,
): { readonly amount: number; readonly schedule: Schedule; readonly connections: number } => {
  const perSecond = (perWindow * 1000) / minuteMs
  const amount = Math.max(1, Math.floor(perWindow * windows))
  const wanted = Math.ceil((perSecond * patienceMs) / 1000) + spareConnections
  return { amount, schedule: { kind: 'constant', perSecond }, connections: Math.min(amount, wanted, mostConnections) }
}
