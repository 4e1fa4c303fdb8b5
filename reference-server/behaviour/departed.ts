import { UsageError } from '../../src/kit/usage-error.js'
import { whenKnown } from '../pipeline.js'
import type { Behaviour, Departing, Surroundings } from './behaviour.js'

/** Something that a server does otherwise, by its permanent id. */
export interface NamedDeparture<Departed extends Behaviour, Around extends Surroundings<Departed>> {
  readonly id: string
  readonly depart: Departing<Departed, Around>
}

/** Which departures are put in, from which catalogues. */
export interface Departures<Departed extends Behaviour, Around extends Surroundings<Departed>> {
  readonly faults: readonly NamedDeparture<Departed, Around>[]
  readonly variations: readonly NamedDeparture<Departed, Around>[]
  readonly given: {
    readonly faults?: readonly string[]
    readonly variations?: readonly string[]
    readonly store?: object
  }
  /** Throws where a departure means nothing to the server. */
  readonly check?: (kind: 'fault' | 'variation', id: string) => void
}

/**
 * The kept behaviour, with the variations and then the faults put in. Throws where an id is unknown.
 * `kept` is told the behaviour with all departures made.
 */
export const departed = <Departed extends Behaviour, Around extends Surroundings<Departed>>(
  kept: (self: () => Departed) => Departed,
  around: Omit<Around, 'self'>,
  { faults, variations, given, check }: Departures<Departed, Around>,
): Departed => {
  const named = (kind: 'fault' | 'variation', ids: readonly string[] = []) =>
    ids.map((id) => {
      const found = (kind === 'fault' ? faults : variations).find((each) => each.id === id)
      if (!found) throw new Error(`there is no ${kind} named ${id}`)
      check?.(kind, id)
      return { kind, ...found }
    })
  const departures = [...named('variation', given.variations), ...named('fault', given.faults)]
  const self = () => behaviour
  const surroundings = { ...around, self } as Around
  let behaviour = kept(self)
  for (const { kind, id, depart } of departures) {
    const changes = depart(behaviour, surroundings)
    if (given.store) requireSharedCounting(kind, id, changes)
    behaviour = { ...behaviour, ...changes, finish: inTurn(behaviour.finish, changes.finish) }
  }
  return behaviour
}

/** Where several departures change answers last of all, each changes what the one before made. */
const inTurn = (first: Behaviour['finish'], second: Behaviour['finish']): Behaviour['finish'] => {
  if (!first || !second) return second ?? first
  return (answer, call) => whenKnown(first(answer, call), (finished) => second(finished, call))
}

/** The parts of a behaviour that count in this process's memory, or by a clock of its own. */
const countingParts: readonly string[] = ['openMeter', 'decide', 'meter', 'nowMs']

/** Throws where a departure counts in a way of its own: a store that several servers share counts as it is written. */
const requireSharedCounting = (kind: 'fault' | 'variation', id: string, changes: object): void => {
  const own = countingParts.filter((part) => part in changes)
  if (own.length > 0)
    throw new UsageError(`--${kind} ${id} counts in a way of its own, in memory: leave out --store, or --${kind} ${id}`)
}
