import type { Share } from './messages.js'

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
