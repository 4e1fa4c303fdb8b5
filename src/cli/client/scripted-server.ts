import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { bearerCredential } from '../../../reference-server/http/bearer-keys.js'
import type { RunningServer } from '../../../reference-server/http/listening.js'
import { seedInventory } from '../../../reference-server/petstore-inventory.js'
import type { Arrival } from '../../evidence/arrivals.js'
import type { Clock } from '../../kit/clock.js'
import { answererOf, type DueAnswer, type Script } from './scripted-answers.js'

/** A request as it arrived, and its answer. Times are milliseconds on the server's monotonic clock. */
export type ScriptedArrival = Omit<Arrival, 'type' | 'id' | 'play' | 'retryAfter' | 'reset' | 'remaining'> & {
  readonly headers: Readonly<Record<string, string>>
}

interface ScriptedServerOptions {
  readonly script: Script
  readonly key: string
  readonly clock: Clock
  readonly input: InputWatch
  /** Called when a request is read and when it is answered; null if unknown. */
  readonly starved?: () => ScriptedArrival['starved']
  readonly onArrival: (arrival: ScriptedArrival) => void
}

/** The first refusal is held until no request came for this long, which shows how many the client sends at once. */
const silenceMs = 100
const longestHeldMs = 500
/** If an answer is sent this soon, the waits of the client's threads are not measured again. */
const noDelayMs = 20

const listBody = JSON.stringify(
  seedInventory(3).map(({ status }, index) => ({ petId: index + 1, quantity: index * 7, status })),
)

const bodies: Readonly<Record<number, string>> = {
  401: JSON.stringify({ code: 'unauthorized', message: 'the API key is missing or not valid', status: 401 }),
  429: JSON.stringify({ code: 'too_many_requests', message: 'the rate limit is exceeded', status: 429 }),
  503: JSON.stringify({ code: 'unavailable', message: 'try again later', status: 503 }),
}

const bodyOf = (status: number, request: IncomingMessage): string => {
  if (status !== 200) return bodies[status] ?? ''
  return request.method === 'PATCH' ? '{"petId":1,"quantity":1,"status":"available"}' : listBody
}

const credentialOf = (request: IncomingMessage, key: string): ScriptedArrival['credential'] => {
  const credential = bearerCredential(request)
  if (credential.kind === 'none') return 'none'
  return credential.kind === 'token' && credential.token === key ? 'bearer' : 'other'
}

/** Whether a request holds the key anywhere: under another scheme or name, in a Basic pair, in the query. */
const showsKey = ({ url = '', rawHeaders }: IncomingMessage, key: string): boolean =>
  [url, ...rawHeaders].some((text) => {
    const basic = /^basic +(\S+)$/i.exec(text)?.[1] ?? ''
    return text.includes(key) || Buffer.from(basic, 'base64').toString('latin1').includes(key)
  })

const unauthorized: DueAnswer = {
  status: 401,
  delayMs: 0,
  banned: false,
  headers: () => ({ 'WWW-Authenticate': 'Bearer' }),
}

type Connection = Pick<Arrival, 'connection' | 'acceptedAt' | 'openedAfter'>

/**
 * Numbers connections, with when each was accepted. The event loop accepts one per turn, so the next may have waited since
 * before the previous one, unless the process looked for input in between. The same holds for first requests.
 */
const connectionsOf = (clock: Clock, input: InputWatch) => {
  const bySocket = new WeakMap<Socket, Connection>()
  const fresh = new WeakSet<Socket>()
  let last: Connection | undefined
  const opened = (socket: Socket): Connection => {
    const lookedAtMs = input.lookedAtMs()
    const openedAfter = last && lookedAtMs <= last.acceptedAt ? last.openedAfter : lookedAtMs
    last = { connection: (last?.connection ?? 0) + 1, acceptedAt: clock.monotonicMs(), openedAfter }
    bySocket.set(socket, last)
    fresh.add(socket)
    return last
  }
  /** The connection of a request that is being read, and a moment at which the request had not yet arrived. */
  const read = (socket: Socket): Connection & Pick<Arrival, 'notBefore'> => {
    const own = bySocket.get(socket) ?? opened(socket)
    return { ...own, notBefore: fresh.delete(socket) ? own.openedAfter : input.lookedAtMs() }
  }
  return { opened, read }
}

/** Holds the first refusal, and the first 200 after it, until requests stop coming, so later requests are reactions to it. */
const holdingFirst = ({ script, clock }: ScriptedServerOptions) => {
  let refusedBefore = false
  let servedSince = false
  let held: Promise<void> | undefined
  let lastMs = clock.monotonicMs()
  const untilSilent = async (): Promise<void> => {
    const giveUpAtMs = clock.monotonicMs() + longestHeldMs
    for (;;) {
      const nowMs = clock.monotonicMs()
      const waitMs = Math.min(lastMs + silenceMs, giveUpAtMs) - nowMs
      if (waitMs <= 0) return
      await clock.sleep(waitMs)
    }
  }
  const hold = (refused: boolean): Promise<void> | undefined => {
    const isFirst = refused ? !refusedBefore : refusedBefore && !servedSince
    if (!isFirst || script.quota) return refused ? held : undefined
    if (refused) refusedBefore = true
    else servedSince = true
    held = untilSilent().then(() => {
      held = undefined
    })
    return held
  }
  const came = () => {
    lastMs = clock.monotonicMs()
  }
  return { came, hold }
}

const handlerOf = (options: ScriptedServerOptions) => {
  const { script, key, clock, input, onArrival, starved = () => null } = options
  const answer = answererOf(script, clock)
  const connections = connectionsOf(clock, input)
  const first = holdingFirst(options)
  let refusedBefore = false

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = clock.monotonicMs()
    first.came()
    const { socket } = request
    const read = connections.read(socket)
    request.resume()
    const credential = credentialOf(request, key)
    const due = credential === 'bearer' ? answer() : unauthorized
    const { status } = due
    const refused = status === 429 || status === 503
    refusedBefore ||= refused
    // Not before the first refusal: until then it is useless, and measuring delays reading.
    const came = { at, ...read, starved: refusedBefore ? starved() : null }
    await first.hold(refused)
    if (due.delayMs > 0) await clock.sleep(due.delayMs)
    const headers = due.headers()
    const gone = response.destroyed || socket.destroyed
    // Measured before the answer's time is taken, when the client could not have read it yet.
    const held = clock.monotonicMs() - at > noDelayMs
    const starvedByAnswer = refused && held ? starved() : came.starved
    const answeredAt = gone ? null : clock.monotonicMs()
    const keyElsewhere = credential !== 'bearer' && showsKey(request, key)
    const told = { path: request.url ?? '', method: request.method ?? '', credential, keyElsewhere, status, headers }
    onArrival({ ...came, ...told, answeredAt, starvedByAnswer, banned: due.banned })
    if (gone) return
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(told.method === 'HEAD' ? undefined : bodyOf(status, request))
    if (refused) input.look()
  }
  return { handle, opened: connections.opened }
}

const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * Starts a server on a free port of 127.0.0.1 that plays one script for one key and records every arrival. Closing it cuts
 * every connection; unanswered requests are recorded as such.
 */
export const startScriptedServer = async (options: ScriptedServerOptions): Promise<RunningServer> => {
  const { handle, opened } = handlerOf(options)
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  server.on('connection', opened)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => closing(server) }
}

const everyMs = 5

/**
 * Watches when this process looks for input: what had arrived by a moment is handled in the next poll phase, and what is
 * handled after that phase arrived later. A stalled process looks late.
 */
export const watchInput = (clock: Clock) => {
  let lookedAtMs = clock.monotonicMs()
  const look = () => {
    setImmediate(() => {
      const beforePollMs = clock.monotonicMs()
      setImmediate(() => {
        lookedAtMs = beforePollMs
      })
    })
  }
  const timer = setInterval(look, everyMs)
  return { lookedAtMs: () => lookedAtMs, look, stop: () => clearInterval(timer) }
}

/** Knows the last moment at which the process looked for input: what is handled now may have waited since then. */
type InputWatch = ReturnType<typeof watchInput>
