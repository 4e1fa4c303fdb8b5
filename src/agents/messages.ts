import { z } from 'zod'
import { apiContract } from '../contract/api-contract.js'
import { ledgerSample } from '../evidence/ledger.js'
import { attempt } from '../kit/usage-error.js'
import { loadOrder } from '../wire/load/load-order.js'

/** The version of the protocol, which has to be the same for coordinator and agents. */
export const protocolVersion = 1

const id = z.string().regex(/^[\w-]{1,64}$/)
const ms = z.number()

/** A part of a load, for one agent. Its order's amount and schedule are the part's own. */
export const share = z.strictObject({
  id,
  run: id,
  /** The run's target; the agent compares it with the one it was started for. */
  target: z.string(),
  order: loadOrder,
  /** When its schedule begins, on the coordinator's clock; null for as soon as possible. */
  beginAtMs: ms.nullable(),
  /** It must not begin after this moment of the coordinator's clock. */
  notAfterMs: ms,
})
export type Share = z.infer<typeof share>

/** A measurement of two clocks: at `atMs` of the agent's, the coordinator's was ahead by `fromMs` to `toMs`. */
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

export const toAgent = z.discriminatedUnion('type', [
  /** Who is there? Agents answer on the channel of the run. */
  z.strictObject({ type: z.literal('who'), run: id, version: z.int() }),
  /** Take part in this run. `marks` holds a byte of each key's hash, to detect another key of the same name. */
  z.strictObject({
    type: z.literal('join'),
    run: id,
    target: z.string(),
    timeScale: z.number().positive(),
    /** Absent: the bundled one. */
    contract: apiContract.optional(),
    marks: z.record(z.string(), z.int().min(0).max(255)),
  }),
  /** The coordinator is there. The named shares have to end: in order, awaiting responses, or at once. */
  z.strictObject({
    type: z.literal('beat'),
    run: id,
    stop: z.array(z.strictObject({ share: id, inOrder: z.boolean() })),
  }),
  z.strictObject({ type: z.literal('pong'), run: id, ping: z.int(), atMs: ms }),
  /** Send these chunks of a share again, and its end if it has ended. */
  z.strictObject({ type: z.literal('again'), run: id, share: id, chunks: z.array(z.int().min(0)).max(10_000) }),
  /** All of a share has arrived, so the agent can forget it. */
  z.strictObject({ type: z.literal('done'), run: id, share: id }),
  /** The run is over for this agent. */
  z.strictObject({ type: z.literal('leave'), run: id }),
])
export type ToAgent = z.infer<typeof toAgent>

/** What an agent was started with, without secrets. */
const card = z.strictObject({
  type: z.literal('card'),
  from: id,
  name: z.string().regex(/^[\w.-]{1,64}$/),
  version: z.int(),
  /** The address that it sends to, and that of the runs that it takes part in. */
  target: z.string(),
  runsOn: z.string(),
  mostPerSecond: z.number().positive().nullable(),
  /** Whether it is taking part in another run. */
  isBusy: z.boolean(),
})
export type Card = z.infer<typeof card>

export const toCoordinator = z.discriminatedUnion('type', [
  card,
  z.strictObject({ type: z.literal('joined'), from: id }),
  z.strictObject({ type: z.literal('declined'), from: id, why: z.string() }),
  z.strictObject({ type: z.literal('ping'), from: id, ping: z.int() }),
  /** It is there, and has sent this many requests in this run. */
  z.strictObject({ type: z.literal('pulse'), from: id, sent: z.int().min(0) }),
  z.strictObject({ type: z.literal('clock'), from: id, reading: clockReading }),
  z.strictObject({ type: z.literal('began'), from: id, share: id }),
  /** It does not play a share; `isMarked` if some process may already have played part of it. */
  z.strictObject({ type: z.literal('refused'), from: id, share: id, why: z.string(), isMarked: z.boolean() }),
  /** Rows of a share follow the message. */
  z.strictObject({ type: z.literal('chunk'), from: id, share: id, number: z.int().min(0), crc: z.int() }),
  /** A share has ended: its numbers of rows and chunks, and all clock readings that place its times. */
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

/** The message and the bytes after it; undefined if this is no message. */
export const unframed = (bytes: Buffer): { readonly message: unknown; readonly rest: Buffer } | undefined => {
  if (bytes.length < 4) return undefined
  const end = 4 + bytes.readUInt32LE(0)
  if (end > bytes.length) return undefined
  return attempt(() => ({ message: JSON.parse(bytes.toString('utf8', 4, end)), rest: bytes.subarray(end) }))
}

/**
 * Carries messages and shares between a coordinator and its agents. Messages may get lost, repeated or delayed, and senders
 * have to cope with that; a share is delivered to one taker once, or to none.
 */
export interface Wire {
  /** Sends a message to all listeners of the channel; it is lost if there are none, or while the wire is down. */
  say(channel: string, message: Buffer): void
  /** Resolves once every later message on the channel will be heard. */
  hear(channel: string, listener: (message: Buffer) => void): Promise<void>
  /** Puts a share into a queue. Rejects if it may not have arrived. */
  hand(queue: string, share: Share): Promise<void>
  /** Takes the shares of a queue in order until closed: several at a time, each once. */
  take(queue: string, play: (given: unknown) => Promise<void>): Promise<{ close(): Promise<void> }>
  clear(queue: string): Promise<void>
  /** Since when messages get through, on the local clock; undefined while they do not. */
  upSinceMs(): number | undefined
  close(): Promise<void>
}

/** The channel on which all agents listen. */
export const everyone = 'agents'
export const channelOfAgent = (instance: string): string => `agent:${instance}`
export const channelOfRun = (run: string): string => `run:${run}`
/** The queue of one agent in one run: nobody else plays a share in it, and no other run does. */
export const queueOf = (run: string, instance: string): string => `shares-${run}-${instance}`

/** How often the coordinator and each agent say that they are there, in milliseconds. */
export const beatMs = 500

/** An agent that has heard nothing for this long leaves the run. */
export const coordinatorGoneMs = 60_000
