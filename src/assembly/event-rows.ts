import { effectInWords, effectOf } from '../checks/quota/events.js'
import type { Evidence } from '../evidence/evidence.js'
import { eventEffects } from '../oracle/event-effects.js'
import { viewOf, viewsOfRun } from '../readings/quota-views.js'
import type { EventRow } from '../report/model.js'

/** What happened to the target on purpose, with what it did to each quota. */
export const eventRows = (evidence: Evidence): EventRow[] => {
  const views = viewsOfRun(evidence)
  return evidence.events.map(({ name, at, endedAt }, i) => {
    const seen = views.map((view) => ({ quota: viewOf(view).quota.id, effect: effectOf(eventEffects(view)[i]) }))
    return {
      name,
      at,
      endedAt,
      outageMs: seen[0]?.effect.outageMs ?? null,
      effects: seen.flatMap(({ quota, effect }) => effect.plans.map((each) => ({ quota, ...each }))),
      sentence: effectInWords({
        name,
        outageMs: seen[0]?.effect.outageMs ?? null,
        plans: seen.flatMap(({ effect }) => effect.plans),
      }),
    }
  })
}
