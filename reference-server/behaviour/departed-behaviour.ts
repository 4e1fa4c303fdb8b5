import { windowMs } from '../../src/contract/plans.js'
import { faults } from '../faults/catalogue.js'
import { whenKnown } from '../pipeline/pipeline.js'
import type { ReferenceServerOptions, Settings } from '../server-options.js'
import { requireSharedCounting } from '../stores/shared-store.js'
import { variations } from '../variations/catalogue.js'
import type { Behaviour, Departure, Surroundings } from './behaviour.js'
import { healthyBehaviour } from './healthy-behaviour.js'

/** The healthy behaviour, with the variations and then the faults put in. Throws where an id is unknown. */
export const departedBehaviour = (options: ReferenceServerOptions, settings: Settings): Behaviour => {
  const departures = [
    ...(options.variations ?? []).map((id) => departureOf('variation', id, variations)),
    ...(options.faults ?? []).map((id) => departureOf('fault', id, faults)),
  ]
  const { timeScale, clock, keys, quotas } = settings
  const surroundings: Surroundings = {
    timeScale,
    minuteMs: windowMs('minute', timeScale),
    dayMs: windowMs('day', timeScale),
    keys,
    quotas,
    sleep: (ms) => clock.sleep(ms),
    self: () => behaviour,
  }
  let behaviour = healthyBehaviour(settings, surroundings.self)
  for (const { kind, id, depart } of departures) {
    const departed = depart(behaviour, surroundings)
    if (options.store) requireSharedCounting(kind, id, departed)
    behaviour = { ...behaviour, ...departed, finish: finishInTurn(behaviour.finish, departed.finish) }
  }
  return behaviour
}

/** Where several departures change answers last of all, each changes what the one before made. */
const finishInTurn = (first: Behaviour['finish'], second: Behaviour['finish']): Behaviour['finish'] => {
  if (!first || !second) return second ?? first
  return (answer, call) => whenKnown(first(answer, call), (finished) => second(finished, call))
}

type Named = { readonly id: string; readonly depart: Departure }

const departureOf = (kind: 'fault' | 'variation', id: string, catalogue: readonly Named[]) => {
  const found = catalogue.find((each) => each.id === id)
  if (!found) throw new Error(`there is no ${kind} named ${id}`)
  return { kind, id, depart: found.depart }
}
