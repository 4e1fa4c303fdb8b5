import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { seededRandom } from '../../src/kit/random.js'
import type { FrontName } from './conditions.js'

/** How long the pieces of a connection are delayed, in milliseconds. Their order does not change. */
interface Passage {
  requestWaitMs(): number
  answerWaitMs(): number
}

/** Opens the passage of another connection. */
export type OpenPassage = () => Passage

/** A round trip of `minMs` to `maxMs`, half of it in each direction. */
export const delaying = (seed: number, minMs: number, maxMs: number): OpenPassage => {
  const random = seededRandom(seed)
  const halfMs = () => (minMs + random.float() * (maxMs - minMs)) / 2
  return () => ({ requestWaitMs: halfMs, answerWaitMs: halfMs })
}

/**
 * Lets through `perSecond` requests over all connections, in order of arrival. The first piece after an answer waits for its
 * turn, and later ones go with it: a request takes one turn, however many pieces it has.
 */
export const queueing = (perSecond: number, clock: Pick<Clock, 'monotonicMs'>): OpenPassage => {
  let freeAtMs = Number.NEGATIVE_INFINITY
  const turnInMs = () => {
    const nowMs = clock.monotonicMs()
    const turnMs = Math.max(nowMs, freeAtMs)
    freeAtMs = turnMs + 1000 / perSecond
    return turnMs - nowMs
  }
  return () => {
    let asking = false
    return {
      requestWaitMs() {
        if (asking) return 0
        asking = true
        return turnInMs()
      },
      answerWaitMs() {
        asking = false
        return 0
      },
    }
  }
}

/** A front before a target, whose address replaces the target's. */
export interface Front {
  readonly url: string
  close(): Promise<void>
}

/** Forwards data from one side to the other, each piece after its delay and none before an earlier one. */
const handOn = (from: Socket, to: Socket, clock: Clock, waitMs: () => number): void => {
  let dueMs = Number.NEGATIVE_INFINITY
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (afterMs: number, act: () => void) => {
    const atMs = Math.max(dueMs, clock.monotonicMs() + afterMs)
    dueMs = atMs
    turn = turn
      .then(() => clock.sleep(atMs - clock.monotonicMs()))
      .then(() => {
        if (!to.destroyed) act()
      })
  }
  from.on('data', (piece) => inTurn(waitMs(), () => void to.write(piece)))
  from.on('end', () => inTurn(0, () => void to.end()))
  // If one side breaks off, the other gets everything sent before, and then the end.
  from.on('close', () => inTurn(0, () => to.destroySoon()))
  // Each error is followed by a close.
  from.on('error', () => {})
}

/**
 * Starts a front that forwards bytes after a delay, without interpreting them. It speaks no HTTP: a broken request arrives
 * as broken as it was sent, an answer breaks off at the same byte, connections live as long as without it, no header is
 * added, and it works for any target.
 */
export const startFront = async (
  behind: string,
  openPassage: OpenPassage,
  clock: Clock = systemClock,
): Promise<Front> => {
  const target = new URL(behind)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const passage = openPassage()
    const served = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    handOn(keep(client), keep(served), clock, () => passage.requestWaitMs())
    handOn(served, client, clock, () => passage.answerWaitMs())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${target.protocol}//127.0.0.1:${port}${target.pathname}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Distant or slow: only the timing differs. */
const passages: Readonly<Record<FrontName, (seed: number) => OpenPassage>> = {
  slow: () => queueing(200, systemClock),
  delayed: (seed) => delaying(seed, 40, 160),
}

/** A server behind a front; both end together. */
export const openFront = async (server: Front, name: FrontName, seed: number): Promise<Front> => {
  const front = await startFront(server.url, passages[name](seed))
  return {
    url: front.url,
    close: async () => {
      await front.close()
      await server.close()
    },
  }
}
