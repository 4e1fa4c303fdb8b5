import type { Boom } from '@hapi/boom'
import type { ApiContract, HeaderField, ResetUnit } from '../src/contract/api-contract.js'
import type { OperationId } from '../src/contract/petstore/operations.js'
import type { InventoryItem } from '../src/contract/petstore/schemas.js'
import type { PlanName, Quota } from '../src/contract/plans.js'
import { type Answer, jsonAnswer, type RateHeaders } from './http/answer.js'
import type { Account, Credential, IssuedKey, RequestHead } from './http/bearer-keys.js'
import type { Meter } from './limiters/limiter.js'
import type { createInventory } from './petstore-inventory.js'
import type { Charge, Charged, NamedWindow, Ruling, Subject, WindowState } from './stores/ruling.js'
import type { LimiterStore } from './stores/store.js'

/** What is known about a request before it is metered. */
export interface Arrival {
  readonly request: RequestHead
  /** The operation of the Petstore, or the request of a contract; undefined if it is neither. */
  readonly operation: string | undefined
  readonly credential: Credential
  /** Undefined without a valid credential. */
  readonly account: Account | undefined
  /** When it was judged, in milliseconds since the epoch. */
  readonly nowMs: number
}

export interface Call extends Arrival {
  readonly charges: readonly Charge[]
  readonly ruling: Ruling
  /** As written in the path; undefined if there is none. Like the body, set only after the request is admitted. */
  petId: string | undefined
  body: Buffer | undefined
}

/** What a server does, as functions; a fault or a variation replaces some of them. */
export interface Behaviour {
  readonly nowMs: () => number
  readonly keepAliveMs: number
  readonly credentialOf: (request: RequestHead) => Credential
  readonly accountOf: (credential: Credential) => Account | undefined
  readonly chargesOf: (arrival: Arrival) => readonly Charge[]
  readonly openMeter: (window: NamedWindow, nowMs: number) => Meter
  /** The store's atomic step, over everything that a request is charged to. */
  readonly decide: (charged: readonly Charged[], nowMs: number) => Ruling | Promise<Ruling>
  readonly meter: (store: LimiterStore, arrival: Arrival, charges: readonly Charge[]) => Ruling | Promise<Ruling>
  /** Whether a request is served; if not, the answer is a 401. */
  readonly letsIn: (call: Call) => boolean
  readonly unauthorized: (credential: Credential) => Boom
  readonly refusal: (call: Call) => Answer
  readonly errorAnswer: (error: Boom) => Answer
  /** Changes the count once the answer's status is known. */
  readonly settle: ((store: LimiterStore, call: Call, status: number) => Ruling | Promise<Ruling>) | undefined
  /** The windows that the fields show; the Petstore's three headers show one. */
  readonly shown: (ruling: Ruling, call: Call) => readonly WindowState[]
  readonly fields: (shown: readonly WindowState[], call: Call) => RateHeaders
  readonly momentText: (unit: ResetUnit, atMs: number, nowMs: number) => string
  /** The last change to the answer. */
  readonly finish: ((answer: Answer, call: Call) => Answer | Promise<Answer>) | undefined
}

/** The shop's stock. Entries are immutable: a change makes a new one. */
export type Inventory = ReturnType<typeof createInventory>

export interface PetstoreBehaviour extends Behaviour {
  readonly basePath: string
  readonly operations: Readonly<Record<OperationId, (call: Call) => Answer>>
  readonly petIdOf: (text: string) => bigint
  readonly quantityIn: (body: Buffer | undefined, contentType: string | undefined) => bigint
  readonly inventory: Inventory
}

export interface Surroundings<Departed extends Behaviour = Behaviour> {
  readonly contract: ApiContract
  readonly secrets: readonly string[]
  readonly sleep: (ms: number) => Promise<void>
  /** The behaviour with all departures applied, for departures that call other parts of it. */
  readonly self: () => Departed
}

export interface PetstoreSurroundings extends Surroundings<PetstoreBehaviour> {
  readonly minuteMs: number
  readonly dayMs: number
  readonly keys: readonly IssuedKey[]
  readonly quotas: Readonly<Record<PlanName, Quota>>
}

/** Makes a partial behaviour from the one that it departs from. */
export type Departing<Departed extends Behaviour, Around extends Surroundings<Departed>> = (
  before: Departed,
  surroundings: Around,
) => Partial<Departed>

export type AnyDeparture = Departing<Behaviour, Surroundings>
export type Departure = Departing<PetstoreBehaviour, PetstoreSurroundings>

/** A departure made anew for each server, because it remembers what that server did. */
export const anew =
  (make: (...given: Parameters<Departure>) => Departure): Departure =>
  (...given) =>
    make(...given)(...given)

/** Combines departures, each of which departs from the original behaviour. */
export const together =
  (...all: readonly Departure[]): Departure =>
  (...given) =>
    Object.assign({}, ...all.map((each) => each(...given)))

export const refusing =
  (as: (answer: Answer, call: Call, contract: ApiContract) => Answer): AnyDeparture =>
  (before, { contract }) => ({ refusal: (call) => as(before.refusal(call), call, contract) })

/** Writes some of a contract's fields differently; only fields that the answer has. */
export const rewriting =
  (
    isMeant: (field: HeaderField) => boolean,
    as: (value: RateHeaders[string], field: HeaderField) => RateHeaders[string],
  ): AnyDeparture =>
  (before, { contract }) => ({
    fields(all, call) {
      const written = before.fields(all, call)
      const meant = contract.headers.filter((field) => isMeant(field) && written[field.name] !== undefined)
      return { ...written, ...Object.fromEntries(meant.map((each) => [each.name, as(written[each.name], each)])) }
    },
  })

/** Shows a quota's state differently from what it is. */
export const showingState =
  (as: (state: WindowState, call: Call) => Partial<WindowState>): AnyDeparture =>
  (before) => ({
    shown: (ruling, call) => before.shown(ruling, call).map((state) => ({ ...state, ...as(state, call) })),
  })

/** Shows another Remaining for admitted requests; a refusal keeps the right one. */
export const showsRemaining = (as: (state: WindowState, call: Call) => number): AnyDeparture =>
  showingState((state, call) => (call.ruling.outcome === 'admitted' ? { remaining: as(state, call) } : {}))

export const showsReset = (as: (state: WindowState, call: Call) => number): AnyDeparture =>
  showingState((state, call) => ({ resetMs: as(state, call) }))

/** Writes moments in a unit that was not agreed. */
export const writesIn =
  (units: Partial<Record<ResetUnit, ResetUnit>>): AnyDeparture =>
  (before) => ({ momentText: (unit, atMs, nowMs) => before.momentText(units[unit] ?? unit, atMs, nowMs) })

/** Changes finished answers of one status, for all operations or for one. */
export const finishing = (status: number, as: (answer: Answer) => Answer, operation?: OperationId): AnyDeparture =>
  finishingAll((answer, call) =>
    answer.status === status && (operation === undefined || operation === call.operation) ? as(answer) : answer,
  )

export const finishingAll =
  (as: (answer: Answer, call: Call) => Answer): AnyDeparture =>
  () => ({ finish: as })

/** Another answer of an operation; `asBefore` gives the original answer. */
type Instead = (call: Call, asBefore: () => Answer, self: PetstoreBehaviour) => Answer

export const answering =
  (answer: Instead, ...ids: readonly OperationId[]): Departure =>
  (before, { self }) => {
    const changed = ids.map((id) => [id, (call: Call) => answer(call, () => before.operations[id](call), self())])
    return { operations: { ...before.operations, ...Object.fromEntries(changed) } }
  }

export const listing = (as: (items: readonly InventoryItem[]) => unknown, status = 200): Departure =>
  answering((_call, _asBefore, { inventory }) => jsonAnswer(status, as(inventory.items())), 'listInventory')

export const updating = (answer: Instead): Departure => answering(answer, 'updateInventory')

/** Stores a quantity with `set`, which gets the original inventory. */
export const storing =
  (set: (petId: bigint, quantity: bigint, before: Inventory) => ReturnType<Inventory['setQuantity']>): Departure =>
  ({ inventory }) => ({
    inventory: { ...inventory, setQuantity: (petId, quantity) => set(petId, quantity, inventory) },
  })

/** Reads the body of a PATCH with `read`; `asBefore` is the original way to read it, or another body. */
export const readingBody =
  (read: (body: Buffer | undefined, asBefore: (body: Buffer | undefined) => bigint) => bigint): Departure =>
  (before) => ({ quantityIn: (body, contentType) => read(body, (each) => before.quantityIn(each, contentType)) })

/** The entry that a PATCH is about; undefined if it does not exist. Throws if the petId is invalid. */
export const entryOf = ({ petId = '' }: Call, { inventory, petIdOf }: PetstoreBehaviour): InventoryItem | undefined =>
  inventory.find(petIdOf(petId))

/** Writes the fields that `as` makes from the shown state, in addition to the three headers or instead of them. */
export const showing =
  (as: (shown: WindowState, call: Call) => Partial<RateHeaders>): Departure =>
  (before) => ({ fields: (shown, call) => Object.assign(before.fields(shown, call), as(shown[0], call)) })

export const counting =
  (as: (subject: Subject, arrival: Arrival) => Subject): AnyDeparture =>
  (before) => ({ chargesOf: chargingOthers(before, as) })

export const chargingOthers =
  ({ chargesOf }: Pick<Behaviour, 'chargesOf'>, change: (subject: Subject, arrival: Arrival) => Subject) =>
  (arrival: Arrival): readonly Charge[] =>
    chargesOf(arrival).map(({ subject, cost }) => ({ subject: change(subject, arrival), cost }))

export const chargingWindows = (
  before: Pick<Behaviour, 'chargesOf'>,
  change: (window: NamedWindow, subject: Subject) => Partial<NamedWindow>,
) =>
  chargingOthers(before, (subject) => ({
    ...subject,
    windows: subject.windows.map((each) => ({ ...each, ...change(each, subject) })),
  }))

/** Enforces other windows than the promised ones, but shows the promised ones: `left` says what is left of one. */
export const enforcing =
  (
    change: (window: NamedWindow, subject: Subject) => Partial<NamedWindow>,
    left: (kept: WindowState, promised: NamedWindow) => number,
  ): AnyDeparture =>
  (before) => ({
    chargesOf: chargingWindows(before, change),
    shown: (ruling, call) => {
      const promised = before.chargesOf(call).flatMap(({ subject }) => subject.windows)
      return before.shown(ruling, call).map((state) => {
        const window = promised.find(({ name }) => name === state.window.name) ?? state.window
        return { ...state, window, remaining: left(state, window) }
      })
    },
  })
