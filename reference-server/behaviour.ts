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

/** What is known of a request before it is metered. */
export interface Arrival {
  readonly request: RequestHead
  /** The operation of the Petstore, or the request of a contract; undefined for what belongs to none. */
  readonly operation: string | undefined
  readonly credential: Credential
  /** Undefined where no valid credential was shown. */
  readonly account: Account | undefined
  /** When it was judged, in milliseconds since the epoch. */
  readonly nowMs: number
}

/** A request on its way through the server. */
export interface Call extends Arrival {
  readonly charges: readonly Charge[]
  readonly ruling: Ruling
  /** As it stands in the path; undefined where there is none. Like the body it is set once the request was admitted. */
  petId: string | undefined
  body: Buffer | undefined
}

/** What a server does, as functions of which a fault or a variation replaces some. */
export interface Behaviour {
  readonly nowMs: () => number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  readonly credentialOf: (request: RequestHead) => Credential
  readonly accountOf: (credential: Credential) => Account | undefined
  /** Who is charged for a request, and what it costs there. */
  readonly chargesOf: (arrival: Arrival) => readonly Charge[]
  readonly openMeter: (window: NamedWindow, nowMs: number) => Meter
  /** The atomic step of the store, over all that a request is charged to. */
  readonly decide: (charged: readonly Charged[], nowMs: number) => Ruling | Promise<Ruling>
  readonly meter: (store: LimiterStore, arrival: Arrival, charges: readonly Charge[]) => Ruling | Promise<Ruling>
  /** Whether a request is served; where it is not, the answer is a 401. */
  readonly letsIn: (call: Call) => boolean
  readonly unauthorized: (credential: Credential) => Boom
  /** The answer to a request over a quota, or under a ban. */
  readonly refusal: (call: Call) => Answer
  readonly errorAnswer: (error: Boom) => Answer
  /** Changes what was counted, once the answer's status is known. */
  readonly settle: ((store: LimiterStore, call: Call, status: number) => Ruling | Promise<Ruling>) | undefined
  /** The windows as the fields are to show them; the Petstore's three headers show one. */
  readonly shown: (ruling: Ruling, call: Call) => readonly WindowState[]
  readonly fields: (shown: readonly WindowState[], call: Call) => RateHeaders
  /** A moment as a field writes it. */
  readonly momentText: (unit: ResetUnit, atMs: number, nowMs: number) => string
  /** Changes the answer last of all. */
  readonly finish: ((answer: Answer, call: Call) => Answer | Promise<Answer>) | undefined
}

/** The stock of the shop. Entries are values: a change makes a new one. */
type Inventory = ReturnType<typeof createInventory>

/** What the Petstore does besides. */
export interface PetstoreBehaviour extends Behaviour {
  readonly basePath: string
  readonly operations: Readonly<Record<OperationId, (call: Call) => Answer>>
  readonly petIdOf: (text: string) => bigint
  readonly quantityIn: (body: Buffer | undefined, contentType: string | undefined) => bigint
  readonly inventory: Inventory
}

/** What a departure may need to know of the server. */
export interface Surroundings<Departed extends Behaviour = Behaviour> {
  readonly contract: ApiContract
  readonly secrets: readonly string[]
  readonly sleep: (ms: number) => Promise<void>
  /** The behaviour with all departures made, for those that call other parts of it. */
  readonly self: () => Departed
}

export interface PetstoreSurroundings extends Surroundings<PetstoreBehaviour> {
  readonly timeScale: number
  readonly minuteMs: number
  readonly dayMs: number
  readonly keys: readonly IssuedKey[]
  readonly quotas: Readonly<Record<PlanName, Quota>>
}

/** A partial behaviour, made from the one that it departs from. */
export type Departing<Departed extends Behaviour, Around extends Surroundings<Departed>> = (
  before: Departed,
  surroundings: Around,
) => Partial<Departed>

/** One of any server. */
export type AnyDeparture = Departing<Behaviour, Surroundings>
/** One of the Petstore. */
export type Departure = Departing<PetstoreBehaviour, PetstoreSurroundings>

/** One that is made anew for each server, since it remembers what that server did. */
export const anew =
  <Departed extends Behaviour, Around extends Surroundings<Departed>>(
    make: (before: Departed, surroundings: Around) => Departing<Departed, Around>,
  ): Departing<Departed, Around> =>
  (before, surroundings) =>
    make(before, surroundings)(before, surroundings)

/** Departs in several ways at once, each from what the server did before all of them. */
export const together =
  <Departed extends Behaviour, Around extends Surroundings<Departed>>(
    ...all: readonly Departing<Departed, Around>[]
  ): Departing<Departed, Around> =>
  (before, surroundings) =>
    Object.assign({}, ...all.map((each) => each(before, surroundings)))

/** Refuses with what `as` makes of a refusal. */
export const refusing =
  (as: (answer: Answer, call: Call, contract: ApiContract) => Answer): AnyDeparture =>
  (before, { contract }) => ({ refusal: (call) => as(before.refusal(call), call, contract) })

/** Writes some fields of a contract otherwise; only those that an answer has. */
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

/** Shows quotas otherwise than they are. */
export const showingState =
  (as: (state: WindowState, call: Call) => Partial<WindowState>): AnyDeparture =>
  (before) => ({
    shown: (ruling, call) => before.shown(ruling, call).map((state) => ({ ...state, ...as(state, call) })),
  })

/** Shows another Remaining on what was admitted; on a refusal it stays as it is. */
export const showsRemaining = (as: (state: WindowState, call: Call) => number): AnyDeparture =>
  showingState((state, call) => (call.ruling.outcome === 'admitted' ? { remaining: as(state, call) } : {}))

export const showsReset = (as: (state: WindowState, call: Call) => number): AnyDeparture =>
  showingState((state, call) => ({ resetMs: as(state, call) }))

/** Writes moments in another unit than was agreed. */
export const writesIn =
  (units: Partial<Record<ResetUnit, ResetUnit>>): AnyDeparture =>
  (before) => ({ momentText: (unit, atMs, nowMs) => before.momentText(units[unit] ?? unit, atMs, nowMs) })

/** Changes the finished answers of one status, of all operations or of one. */
export const finishing = (status: number, as: (answer: Answer) => Answer, operation?: OperationId): AnyDeparture =>
  finishingAll((answer, call) =>
    answer.status === status && (operation === undefined || operation === call.operation) ? as(answer) : answer,
  )

/** Changes answers last of all. */
export const finishingAll =
  (as: (answer: Answer, call: Call) => Answer): AnyDeparture =>
  () => ({ finish: as })

/** How one operation is answered otherwise; `asBefore` answers as the server would that is departed from. */
type Instead = (call: Call, asBefore: () => Answer, self: PetstoreBehaviour) => Answer

export const answering =
  (answer: Instead, ...ids: readonly OperationId[]): Departure =>
  (before, { self }) => {
    const changed = ids.map((id) => [id, (call: Call) => answer(call, () => before.operations[id](call), self())])
    return { operations: { ...before.operations, ...Object.fromEntries(changed) } }
  }

/** Answers GET /inventory with what `as` makes of the entries. */
export const listing = (as: (items: readonly InventoryItem[]) => unknown, status = 200): Departure =>
  answering((_call, _asBefore, { inventory }) => jsonAnswer(status, as(inventory.items())), 'listInventory')

export const updating = (answer: Instead): Departure => answering(answer, 'updateInventory')

/** Stores a quantity by `set`; `asBefore` stores it, or another one, as the server would that is departed from. */
export const storing =
  (set: (petId: bigint, quantity: bigint, before: Inventory) => ReturnType<Inventory['setQuantity']>): Departure =>
  ({ inventory }) => ({
    inventory: { ...inventory, setQuantity: (petId, quantity) => set(petId, quantity, inventory) },
  })

/** Reads the body of a PATCH by `read`; `asBefore` reads it, or another one, as the server would that is departed from. */
export const readingBody =
  (read: (body: Buffer | undefined, asBefore: (body: Buffer | undefined) => bigint) => bigint): Departure =>
  (before) => ({ quantityIn: (body, contentType) => read(body, (each) => before.quantityIn(each, contentType)) })

/** The entry that a PATCH is about; undefined where there is none. Throws where its petId is none. */
export const entryOf = ({ petId = '' }: Call, { inventory, petIdOf }: PetstoreBehaviour): InventoryItem | undefined =>
  inventory.find(petIdOf(petId))

/** Writes the fields that `as` makes of what is shown, beside the three headers or in their place. */
export const showing =
  (as: (shown: WindowState, call: Call) => Partial<RateHeaders>): Departure =>
  (before) => ({ fields: (shown, call) => Object.assign(before.fields(shown, call), as(shown[0], call)) })

/** Charges each request to what `as` makes of a subject. */
export const counting =
  (as: (subject: Subject, arrival: Arrival) => Subject): AnyDeparture =>
  (before) => ({ chargesOf: chargingOthers(before, as) })

/** Changes who is counted. */
export const chargingOthers =
  ({ chargesOf }: Pick<Behaviour, 'chargesOf'>, change: (subject: Subject, arrival: Arrival) => Subject) =>
  (arrival: Arrival): readonly Charge[] =>
    chargesOf(arrival).map(({ subject, cost }) => ({ subject: change(subject, arrival), cost }))

/** Counts in other windows. */
export const chargingWindows = (
  before: Pick<Behaviour, 'chargesOf'>,
  change: (window: NamedWindow, subject: Subject) => Partial<NamedWindow>,
) =>
  chargingOthers(before, (subject) => ({
    ...subject,
    windows: subject.windows.map((each) => ({ ...each, ...change(each, subject) })),
  }))

/** Keeps other windows than those that are promised, and shows the promised ones: `left` says what is left of one. */
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
