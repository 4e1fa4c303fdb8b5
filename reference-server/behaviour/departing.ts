import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import type { RateHeaders } from '../metering/rate-headers.js'
import type { Subject, WindowState } from '../metering/ruling.js'
import type { Arrival, Behaviour, Call, Departure } from './behaviour.js'

/** Refuses with what `as` makes of a refusal. It goes for both reference servers. */
export const refusing =
  <AnyCall>(as: (answer: Answer, call: AnyCall) => Answer) =>
  (before: { readonly refusal: (call: AnyCall) => Answer }) => ({
    refusal: (call: AnyCall) => as(before.refusal(call), call),
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
  (answer: (call: Call, update: () => Answer, self: Behaviour) => Answer): Departure =>
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
export const entryOf = ({ petId = '' }: Call, { inventory, petIdOf }: Behaviour): InventoryItem | undefined =>
  inventory.find(petIdOf(petId))

/** Writes the fields that `as` makes of what is shown, beside the three headers or in their place. */
export const showing =
  (as: (shown: WindowState, call: Call) => Partial<RateHeaders>): Departure =>
  (before) => ({
    rateHeaders: (shown, call) => Object.assign(before.rateHeaders(shown, call), as(shown, call)),
  })

/** Counts against what `as` makes of a subject. */
export const counting =
  (as: (subject: Subject, arrival: Arrival) => Subject): Departure =>
  (before) => ({
    subjectOf: (arrival) => as(before.subjectOf(arrival), arrival),
  })
