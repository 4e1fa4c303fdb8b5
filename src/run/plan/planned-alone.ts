import type { RunHead } from '../../evidence/journal.js'
import type { ScheduledProbe } from './budget.js'
import { joinedPlan, planSection } from './planning.js'
import { findProbe } from './probe-registry.js'
import { sectionsOf } from './sections.js'

/** What these probes of a run take by their plan, without what is played again; undefined where an older run had others. */
export const plannedAloneMs = (run: RunHead, ids: ReadonlySet<string>): number | undefined => {
  const wanted = run.probes.filter(({ probe }) => ids.has(probe))
  const scheduled = wanted.flatMap(({ probe: id, settings, quota }): ScheduledProbe[] => {
    const probe = findProbe(id)
    const read = probe?.settings.safeParse(settings)
    return probe && read?.success ? [{ probe, settings: read.data, quota }] : []
  })
  if (run.keys.length === 0 || scheduled.length < wanted.length) return undefined
  return joinedPlan(sectionsOf(run, scheduled).map((section) => planSection(section))).durationMs
}
