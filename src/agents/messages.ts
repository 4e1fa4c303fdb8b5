import { z } from 'zod'
import { apiContract } from '../contract/api-contract.js'
import { ledgerSample } from '../evidence/ledger.js'
import { loadOrder } from '../wire/load/load-order.js'

/** The version of what coordinator and agents say to each other. Both have to speak the same. */
export const protocolVersion = 1

const id = z.string().regex(/^[\w-]{1,64}$/)
const ms = z.number()

/** A part of a load, for one agent. Its order's amount and schedule are the part's own. */
export const share = z.strictObject({
  id,
  run: id,
  /** The address that the run is about; the agent compares it with what it was started for. */
  target: z.string(),
  order: loadOrder,
  /** When its schedule begins, on the coordinator's clock; null: as soon as it can. */
  beginAtMs: ms.nullable(),
  /** After this moment of the coordinator's clock it is not begun any more. */
  notAfterMs: ms,
})
export type Share = z.infer<typeof share>

/** One measurement of two clocks: at this moment of the agent's, the coordinator's was ahead by something in between. */
export const clockReading = z.strictObject({ atMs: ms, fromMs: ms, toMs: ms })
export type ClockReading = z.infer<typeof clockReading>

/** How the agent's load ended, without its rows. */
export const shareEnd = z.strictObject({
  end: z.enum(['complete', 'stop-when', 'server-errors', 'aborted', 'breaker', 'time-limit', 'certificate']),
  problem: z.string().nullable(),
  breaker: z.strictObject({ failures: z.int(), last: z.string() }).nullable(),
  connectFailures: z.int().min(0),
  samples: z.array(ledgerSample),
  stoodStillMs: z.number().min(0),
})
export type ShareEnd = z.infer<typeof shareEnd>

/** What the coordinator says to an agent. */
export const toAgent = z.discriminatedUnion('type', [
  /** Who is there? To be answered on the channel of the run. */
  z.strictObject({ type: z.literal('who'), run: id, version: z.int() }),
  /** Take part in this run. `marks` are a byte of a hash of each key, so that another key of that name is noticed. */
  z.strictObject({
    type: z.literal('join'),
    run: id,
    target: z.string(),
    timeScale: z.number().positive(),
    contract: apiContract.nullable(),
    marks: z.record(z.string(), z.int().min(0).max(255)),
  }),
  /** The coordinator is there. Shares that are named are to end: in order, so that answers are awaited, or at once. */
  z.strictObject({
    type: z.literal('beat'),
    run: id,
    stop: z.array(z.strictObject({ share: id, inOrder: z.boolean() })),
  }),
  z.strictObject({ type: z.literal('pong'), run: id, ping: z.int(), atMs: ms }),
  /** What has come of a share: send these chunks again, and its end, where it has ended. */
  z.strictObject({ type: z.literal('again'), run: id, share: id, chunks: z.array(z.int().min(0)).max(10_000) }),
  /** All of a share is here: it can be forgotten. */
  z.strictObject({ type: z.literal('done'), run: id, share: id }),
  /** The run is over for this agent. */
  z.strictObject({ type: z.literal('leave'), run: id }),
])
export type ToAgent = z.infer<typeof toAgent>

/** What an agent was started with, as far as others may know it. */
export const card = z.strictObject({
  type: z.literal('card'),
  from: id,
  name: z.string().regex(/^[\w.-]{1,64}$/),
  version: z.int(),
  /** The address that it sends to, and that of the runs that it takes part in. */
  target: z.string(),
  runsOn: z.string(),
  mostPerSecond: z.number().positive().nullable(),
  /** Whether it takes part in another run. */
  isBusy: z.boolean(),
})
export type Card = z.infer<typeof card>

/** What an agent says to the coordinator. */
export const toCoordinator = z.discriminatedUnion('type', [
  card,
  z.strictObject({ type: z.literal('joined'), from: id }),
  z.strictObject({ type: z.literal('declined'), from: id, why: z.string() }),
  z.strictObject({ type: z.literal('ping'), from: id, ping: z.int() }),
  /** It is there, and has sent so many requests in this run. */
  z.strictObject({ type: z.literal('pulse'), from: id, sent: z.int().min(0) }),
  z.strictObject({ type: z.literal('clock'), from: id, reading: clockReading }),
  z.strictObject({ type: z.literal('began'), from: id, share: id }),
  /** It does not play a share; `marked` where somebody may have, before. */
  z.strictObject({ type: z.literal('refused'), from: id, share: id, why: z.string(), isMarked: z.boolean() }),
  /** Rows of a share, behind the message. */
  z.strictObject({ type: z.literal('chunk'), from: id, share: id, number: z.int().min(0), crc: z.int() }),
  /** A share has ended, with so many rows in so many chunks; and all readings of the clock that tell its times. */
  z.strictObject({
    type: z.literal('over'),
    from: id,
    share: id,
    chunks: z.int().min(0),
    rows: z.int().min(0),
    readings: z.array(clockReading),
    outcome: shareEnd,
  }),
  z.strictObject({ type: z.literal('left'), from: id, why: z.string() }),
])
export type ToCoordinator = z.infer<typeof toCoordinator>
