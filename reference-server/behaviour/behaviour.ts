import type { Boom } from '@hapi/boom'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { PlanName, Quota } from '../../src/contract/plans.js'
import type { Credential, RequestHead } from '../access/credential.js'
import type { Account, IssuedKey } from '../access/key-ring.js'
import type { Answer } from '../http/answer.js'
import type { Inventory } from '../inventory/inventory.js'
import type { OpenMeter } from '../limiters/algorithms.js'
import type { LimiterStore } from '../metering/memory-store.js'
import type { RateHeaders } from '../metering/rate-headers.js'
import type { Ruling, Subject, Tally, WindowState } from '../metering/ruling.js'

/** A request on its way through the server. */
export interface Call {
  readonly request: RequestHead
  /** Undefined for a path or a method that belongs to no operation. */
  readonly operation: OperationId | undefined
  readonly credential: Credential
  /** Undefined where no valid key was shown. */
  readonly account: Account | undefined
  readonly subject: Subject
  /** When it was judged, in milliseconds since the epoch. */
  readonly nowMs: number
  readonly ruling: Ruling
  /** As it stands in the path; undefined where there is none. Like the body it is set once the request was admitted. */
  petId: string | undefined
  body: Buffer | undefined
}

/** What is known of a call before it is metered. */
export type Arrival = Omit<Call, 'subject' | 'ruling' | 'petId' | 'body'>

/**
 * Everything that the server does, as functions that can be replaced one by one. The healthy ones keep the interface; a
 * fault or a variation replaces some, and is given those.
 */
export interface Behaviour {
  /** The prefix of all operations. */
  readonly basePath: string
  /** The server's time, in milliseconds since the epoch. */
  readonly nowMs: () => number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  readonly credentialOf: (request: RequestHead) => Credential
  readonly accountOf: (credential: Credential) => Account | undefined
  /** Who is charged for a request. */
  readonly subjectOf: (arrival: Arrival) => Subject
  readonly openMeter: OpenMeter
  /** The atomic step of the store. */
  readonly decide: (tally: Tally, nowMs: number) => Ruling | Promise<Ruling>
  readonly meter: (store: LimiterStore, arrival: Arrival, subject: Subject) => Ruling | Promise<Ruling>
  /** Whether a request is served; where it is not, the answer is a 401. */
  readonly letsIn: (call: Call) => boolean
  readonly unauthorized: (credential: Credential) => Boom
  /** The answer to a request over the limit, or under a ban. */
  readonly refusal: (call: Call) => Answer
  readonly operations: Readonly<Record<OperationId, (call: Call) => Answer>>
  readonly petIdOf: (text: string) => bigint
  readonly quantityIn: (body: Buffer | undefined, contentType: string | undefined) => bigint
  readonly inventory: Inventory
  readonly errorAnswer: (error: Boom) => Answer
  /** Changes what was counted, once the answer's status is known. */
  readonly settle: ((store: LimiterStore, call: Call, status: number) => Ruling | Promise<Ruling>) | undefined
  readonly shownWindow: (ruling: Ruling, call: Call) => WindowState
  readonly rateHeaders: (shown: WindowState, call: Call) => RateHeaders
  /** Changes the answer last of all. */
  readonly finish: ((answer: Answer, call: Call) => Answer | Promise<Answer>) | undefined
}

/** A partial behaviour, made from the one that it departs from. */
export type Departure = (before: Behaviour, surroundings: Surroundings) => Partial<Behaviour>

/** What a departure may need to know of the server. */
export interface Surroundings {
  readonly timeScale: number
  readonly minuteMs: number
  readonly dayMs: number
  readonly keys: readonly IssuedKey[]
  readonly quotas: Readonly<Record<PlanName, Quota>>
  readonly sleep: (ms: number) => Promise<void>
  /** The behaviour with all departures made, for those that call other parts of it. */
  readonly self: () => Behaviour
}
