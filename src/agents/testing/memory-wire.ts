import { type Share, unframed, type Wire } from '../messages.js'
import type { VirtualClock } from './virtual-clock.js'

/** What happens to a message in transit: how many copies arrive, and after how long. */
export interface Fate {
  readonly copies?: number
  readonly delayMs?: number
}

export interface MemoryWire {
  /** Opens another connection to the shared wire. */
  connect(): Wire
  /** Decides a message's fate by type and content. Default: it arrives once, half a millisecond later. */
  fate: (message: { readonly type: string; readonly [name: string]: unknown }, channel: string) => Fate
  /** Blocks or unblocks the wire; the content of queues is lost. */
  cut(isDown: boolean): void
  /** The existing queues. */
  readonly queues: ReadonlyMap<string, unknown[]>
}

/** A wire within one process that can lose, repeat and delay messages. */
export const memoryWire = (clock: VirtualClock): MemoryWire => {
  const listeners = new Map<string, Set<(message: Buffer) => void>>()
  const queues = new Map<string, unknown[]>()
  const takers = new Map<string, (given: unknown) => void>()
  let upSinceMs: number | undefined = clock.monotonicMs()

  const connect = (): Wire => ({
    say(channel, bytes) {
      if (upSinceMs === undefined) return
      const message = unframed(bytes)?.message as { readonly type: string }
      const { copies = 1, delayMs = 0.5 } = wire.fate(message, channel)
      const arrive = () => {
        if (upSinceMs === undefined) return
        for (const listener of listeners.get(channel) ?? []) listener(Buffer.from(bytes))
      }
      for (let copy = 0; copy < copies; copy += 1) clock.at(clock.monotonicMs() + delayMs * (copy + 1), arrive)
    },
    async hear(channel, listener) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    },
    async hand(queue, share: Share) {
      if (upSinceMs === undefined) throw new Error('down')
      const taker = takers.get(queue)
      const given: unknown = JSON.parse(JSON.stringify(share))
      if (taker) taker(given)
      else queues.set(queue, [...(queues.get(queue) ?? []), given])
    },
    async take(queue, play) {
      const playing = new Set<Promise<void>>()
      const taker = (given: unknown) => {
        const one = play(given).finally(() => playing.delete(one))
        playing.add(one)
      }
      takers.set(queue, taker)
      for (const each of queues.get(queue)?.splice(0) ?? []) taker(each)
      return {
        async close() {
          takers.delete(queue)
          await Promise.allSettled(playing)
        },
      }
    },
    async clear(queue) {
      queues.delete(queue)
    },
    upSinceMs: () => upSinceMs,
    async close() {},
  })

  const wire: MemoryWire = {
    connect,
    fate: () => ({}),
    cut(isDown) {
      upSinceMs = isDown ? undefined : clock.monotonicMs()
      if (isDown) queues.clear()
    },
    queues,
  }
  return wire
}
