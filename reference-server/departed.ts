import type { ApiContract } from '../src/contract/api-contract.js'
import type { ModelName } from '../src/contract/limiter-models.js'
import type { Clock } from '../src/kit/clock.js'
import { UsageError } from '../src/kit/usage-error.js'
import type { Behaviour, Departing, Surroundings } from './behaviour.js'
import type { ListenOptions } from './http/listening.js'
import { whenKnown } from './pipeline.js'
import type { StoreConnection } from './stores/store.js'

/** Options of any server. */
export interface ServerOptions extends ListenOptions {
  /** Divides the length of every window, and of a block. Default: 1. */
  readonly timeScale?: number
  /** Default: fixed-window-first-request; for a contract, the quota's first model or fixed-window. */
  readonly algorithm?: ModelName
  /** Keeps the counts outside this process. Default: in its memory. */
  readonly store?: StoreConnection
  readonly clock?: Clock
  /** Ids of faults, applied in this order. */
  readonly faults?: readonly string[]
  /** Ids of conforming variations, applied before the faults. */
  readonly variations?: readonly string[]
}

interface NamedDeparture<Departed extends Behaviour, Around extends Surroundings<Departed>> {
  readonly id: string
  readonly appliesTo?: (contract: ApiContract) => boolean
  readonly depart: Departing<Departed, Around>
}

/** Applies variations, then faults, to the kept behaviour. Throws if an id is unknown or does not apply here. */
export const departed = <Departed extends Behaviour, Around extends Surroundings<Departed>>(
  kept: (self: () => Departed) => Departed,
  around: Omit<Around, 'self'>,
  catalogues: Readonly<Record<'fault' | 'variation', readonly NamedDeparture<Departed, Around>[]>>,
  given: Pick<ServerOptions, 'faults' | 'variations' | 'store'>,
): Departed => {
  const named = (kind: keyof typeof catalogues, ids: readonly string[] = []) =>
    ids.map((id) => {
      const found = catalogues[kind].find((each) => each.id === id)
      if (!found) throw new Error(`there is no ${kind} named ${id}`)
      if (found.appliesTo?.(around.contract) === false)
        throw new Error(`the ${kind} ${id} means nothing to the contract ${around.contract.name}`)
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

/** Chains departures that change the finished answer: each changes the result of the one before. */
const inTurn = (first: Behaviour['finish'], second: Behaviour['finish']): Behaviour['finish'] => {
  if (!first || !second) return second ?? first
  return (answer, call) => whenKnown(first(answer, call), (finished) => second(finished, call))
}

/** The parts of a behaviour that count in this process's memory or by its own clock. */
const countingParts: readonly string[] = ['openMeter', 'decide', 'meter', 'nowMs']

/** Throws if a departure counts in its own way, because a store shared by several servers can't do that. */
const requireSharedCounting = (kind: 'fault' | 'variation', id: string, changes: object): void => {
  const own = countingParts.filter((part) => part in changes)
  if (own.length > 0)
    throw new UsageError(`--${kind} ${id} counts in a way of its own, in memory: leave out --store, or --${kind} ${id}`)
}
