import type { ScheduledProbe } from './budget.js'

/** Groups what is played side by side: probes in a row that are played on each plan's key. Others are alone. */
export const grouped = (scheduled: readonly ScheduledProbe[]): ScheduledProbe[][] => {
  const groups: ScheduledProbe[][] = []
  for (const each of scheduled) {
    const last = groups.at(-1)
    const joins = last && each.probe.played === 'each-plan' && last[0].probe.played === 'each-plan'
    if (joins) last.push(each)
    else groups.push([each])
  }
  return groups
}
