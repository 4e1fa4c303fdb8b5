import type { ResetUnit } from '../../src/contract/api-contract.js'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { type Answer, jsonAnswer, type RateHeaders } from '../http/answer.js'
import type { Charge, NamedWindow, Subject, WindowState } from '../stores/ruling.js'
import type { AnyDeparture, Arrival, Behaviour, Call, Departure, PetstoreBehaviour } from './behaviour.js'

/** Refuses with what `as` makes of a refusal. */
export const refusing =
  (as: (answer: Answer, call: Call) => Answer): AnyDeparture =>
  (before) => ({
    refusal: (call) => as(before.refusal(call), call),
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

/** Shows another Reset. */
export const showsReset = (as: (state: WindowState, call: Call) => number): AnyDeparture =>
  showingState((state, call) => ({ resetMs: as(state, call) }))

/** Writes moments in another unit than was agreed. */
export const writesIn =
  (units: Partial<Record<ResetUnit, ResetUnit>>): AnyDeparture =>
  (before) => ({
    momentText: (unit, atMs, nowMs) => before.momentText(units[unit] ?? unit, atMs, nowMs),
  })

/** Changes the finished answers of one status, of all operations or of one. */
export const finishing =
  (status: number, as: (answer: Answer) => Answer, operation?: OperationId): Departure =>
  () => ({
    finish: (answer, call) =>
      answer.status === status && (operation === undefined || operation === call.operation) ? as(answer) : answer,
  })

/** Answers GET /inventory with what `as` makes of the entries. */
export const listing =
  (as: (items: readonly InventoryItem[]) => unknown, status = 200): Departure =>
  (before, { self }) => ({
    operations: { ...before.operations, listInventory: () => jsonAnswer(status, as(self().inventory.items())) },
  })

/** Answers a PATCH by `answer`; `update` carries it out as the server would that is departed from. */
export const updating =
  (answer: (call: Call, update: () => Answer, self: PetstoreBehaviour) => Answer): Departure =>
  (before, { self }) => ({
    operations: {
      ...before.operations,
      updateInventory: (call) => answer(call, () => before.operations.updateInventory(call), self()),
    },
  })

/** Reads the body of a PATCH by `read`; `asBefore` reads it, or another one, as the server would that is departed from. */
export const readingBody =
  (read: (body: Buffer | undefined, asBefore: (body: Buffer | undefined) => bigint) => bigint): Departure =>
  (before) => ({
    quantityIn: (body, contentType) => read(body, (each) => before.quantityIn(each, contentType)),
  })

/** The entry that a PATCH is about; undefined where there is none. Throws where its petId is none. */
export const entryOf = ({ petId = '' }: Call, { inventory, petIdOf }: PetstoreBehaviour): InventoryItem | undefined =>
  inventory.find(petIdOf(petId))

/** Writes the fields that `as` makes of what is shown, beside the three headers or in their place. */
export const showing =
  (as: (shown: WindowState, call: Call) => Partial<RateHeaders>): Departure =>
  (before) => ({
    fields: (shown, call) => Object.assign(before.fields(shown, call), as(shown[0], call)),
  })

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
