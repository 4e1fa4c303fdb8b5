import { z } from 'zod'
import type { LedgerOrigin, LedgerRow } from '../../evidence/ledger.js'
import type { LoadEar, LoadResult } from './load-spec.js'
import { schedule } from './schedule.js'
import { stopRule } from './stop-rule.js'

/** A load as data: all that its sender has to be told, by names and without a secret. Address and keys are its own. */
export const loadOrder = z.strictObject({
  /** The id of its ledger. */
  id: z.string().regex(/^[\w-]{1,100}$/),
  probe: z.string(),
  /** The name of the credential. */
  key: z.string(),
  /** The request by its name in the contract file; null for the list of the bundled contract. */
  request: z.string().nullable(),
  /** The quota of the contract file by which answers are read. */
  quota: z.string().nullable(),
  connections: z.int().min(1).max(65_535),
  amount: z.int().min(1).max(50_000_000),
  /** When each request is due; null: as soon as a connection is free. */
  schedule: schedule.nullable(),
  stop: stopRule.nullable(),
  /** The most that an answer's head may take. */
  timeoutMs: z.number().positive(),
  connectTimeoutMs: z.number().positive().nullable(),
  mostServerErrorPercent: z.number().min(0).max(100),
  /** Whether all machines at hand are to share it. */
  isSpread: z.boolean(),
})
export type LoadOrder = z.infer<typeof loadOrder>

/** Who follows a load while it is under way, and ends it. */
export interface LoadWatch {
  readonly signal: AbortSignal
  readonly abortsInOrder?: () => boolean
  readonly ear?: LoadEar
  readonly onRow?: (row: LedgerRow) => void
}

/** What one machine sent of a load, its times on the run's clock. */
export interface LoadPart {
  readonly result: LoadResult
  /** For how long its process stood still at most, in milliseconds. */
  readonly stoodStillMs: number
  /** Absent where this machine sent it. */
  readonly origin?: LedgerOrigin
}

/** No machine is left that could send a load. */
export class NobodyToSend extends Error {}

/** Whatever puts loads on the target: this machine, or others on its behalf. Rejects with {@link NobodyToSend}. */
export type Generator = (order: LoadOrder, watch: LoadWatch) => Promise<readonly LoadPart[]>
