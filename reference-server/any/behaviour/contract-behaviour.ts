import type { ApiContract, ResetUnit } from '../../../src/contract/api-contract.js'
import type { RequestHead } from '../../access/credential.js'
import type { Answer } from '../../http/answer.js'
import type { Meter } from '../../limiters/limiter.js'
import type { RateHeaders } from '../../metering/rate-headers.js'
import type { Charged, QuotaWindow, Ruling, WindowState } from '../../metering/ruling.js'
import type { Charge } from '../../stores/shared-store.js'
import type { ContractSettings } from '../contract-options.js'

/** A request for a probe, with a credential that is valid. */
export interface ContractArrival {
  readonly request: RequestHead
  /** Names of the contract. */
  readonly probe: string
  readonly credential: string
  /** When it was judged, in milliseconds since the epoch. */
  readonly nowMs: number
}

/** A request on its way through the server, once it was judged. */
export interface ContractCall extends ContractArrival {
  readonly ruling: Ruling
}

/** Everything that the server does, as functions that a fault or a variation replaces one by one. */
export interface ContractBehaviour {
  /** The server's time, in milliseconds since the epoch. */
  readonly nowMs: () => number
  /** One for each quota that the request counts against, each with one window: the quota's, named by its id. */
  readonly chargesOf: (arrival: ContractArrival) => readonly Charge[]
  readonly openMeter: (window: QuotaWindow, nowMs: number) => Meter
  /** The atomic step over all that a request is charged to. */
  readonly decide: (charged: readonly Charged[], nowMs: number) => Ruling | Promise<Ruling>
  readonly served: (call: ContractCall) => Answer
  /** The answer to a request over a quota, or under a block. */
  readonly refusal: (call: ContractCall) => Answer
  /** The quotas as the fields are to show them. */
  readonly shown: (ruling: Ruling, call: ContractCall) => readonly WindowState[]
  readonly fields: (shown: readonly WindowState[], call: ContractCall) => RateHeaders
  /** A moment as a field writes it. */
  readonly momentText: (unit: ResetUnit, atMs: number, nowMs: number) => string
  /** Changes the answer last of all. Undefined for nothing. */
  readonly finish: ((answer: Answer, call: ContractCall) => Answer | Promise<Answer>) | undefined
}

/** A partial behaviour, made from the one that it departs from. */
export type ContractDeparture = (
  before: ContractBehaviour,
  surroundings: ContractSurroundings,
) => Partial<ContractBehaviour>

/** What a departure may need to know of the server. */
export interface ContractSurroundings {
  readonly contract: ApiContract
  readonly settings: ContractSettings
  readonly sleep: (ms: number) => Promise<void>
  /** The behaviour with all departures made. */
  readonly self: () => ContractBehaviour
}
