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
const clockReading = z.strictObject({ atMs: ms, fromMs: ms, toMs: ms })
export type ClockReading = z.infer<typeof clockReading>

/** How the agent's load ended, without its rows. */
const shareEnd = z.strictObject({
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
    /** Absent: the bundled one. */
    contract: apiContract.optional(),
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
const card = z.strictObject({
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

/** A message as bytes: the length of its JSON, the JSON, and what follows it (the rows of a chunk). */
export const framed = (message: unknown, bytes: Uint8Array = new Uint8Array()): Buffer => {
  const json = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json, bytes])
}

/** The message and what follows it; undefined where the bytes are no message. */
export const unframed = (bytes: Buffer): { readonly message: unknown; readonly rest: Buffer } | undefined => {
  if (bytes.length < 4) return undefined
  const end = 4 + bytes.readUInt32LE(0)
  if (end > bytes.length) return undefined
  try {
    return { message: JSON.parse(bytes.toString('utf8', 4, end)), rest: bytes.subarray(end) }
  } catch {
    return undefined
  }
}

/**
 * What carries messages and shares between a coordinator and its agents. Messages may get lost, come twice or late, and
 * whoever sends one has to see to that; a share is handed to one taker once, or to none.
 */
export interface Wire {
  /** Sends a message to all who hear the channel; it is lost where nobody does, or while the wire is down. */
  say(channel: string, message: Buffer): void
  /** Resolves once everything that is said on the channel from now on is heard. */
  hear(channel: string, listener: (message: Buffer) => void): Promise<void>
  /** Puts a share into a queue. Rejects where it may not have got there. */
  hand(queue: string, share: Share): Promise<void>
  /** Takes the shares of a queue, as they came, until it is closed: several at a time, each once. */
  take(queue: string, play: (given: unknown) => Promise<void>): Promise<{ close(): Promise<void> }>
  /** Removes a queue with all that is in it. */
  clear(queue: string): Promise<void>
  /** Since when messages get through, on the local clock; undefined while they do not. */
  upSinceMs(): number | undefined
  close(): Promise<void>
}

/** The channel on which all agents listen. */
export const everyone = 'agents'
export const channelOfAgent = (instance: string): string => `agent:${instance}`
export const channelOfRun = (run: string): string => `run:${run}`
/** The queue of one agent in one run: a share in it is never played by anybody else, or in another run. */
export const queueOf = (run: string, instance: string): string => `shares-${run}-${instance}`

/** The coordinator says so often that it is there, and an agent as often that it is, in milliseconds. */
export const beatMs = 500

/** One that has heard nothing for so long leaves the run. */
export const coordinatorGoneMs = 60_000
