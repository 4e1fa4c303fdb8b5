import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../../src/kit/clock.js'
import { bearerCredential } from '../access/credential.js'
import { seedInventory } from '../inventory/seed.js'
import { answererOf, type DueAnswer } from './answer-of.js'
import type { Script } from './script.js'

/** A request as it came in and what it was answered. Times are of the clock's monotonic kind. */
export interface ScriptedArrival {
  readonly atMs: number
  /** Null where the client had gone before it could be answered. */
  readonly answeredAtMs: number | null
  readonly connection: number
  readonly method: string
  readonly path: string
  readonly credential: 'bearer' | 'none' | 'other'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly banned: boolean
}

export interface ScriptedServer {
  /** Its base address, which ends with /v1. */
  readonly url: string
  /** Stops listening and cuts every connection; what was not answered yet is recorded as such. */
  close(): Promise<void>
}

export interface ScriptedServerOptions {
  readonly script: Script
  /** The one key that is valid. */
  readonly key: string
  readonly clock: Clock
  readonly onArrival: (arrival: ScriptedArrival) => void
}

/**
 * The first refusal of a play goes out this much later, so that whatever a client sends at once has come in by then:
 * how many requests it keeps under way is then no guess.
 */
const firstRefusalHeldMs = 100

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

const unauthorized: DueAnswer = {
  status: 401,
  delayMs: 0,
  banned: false,
  headers: () => ({ 'WWW-Authenticate': 'Bearer' }),
}

const handlerOf = ({ script, key, clock, onArrival }: ScriptedServerOptions) => {
  const answer = answererOf(script, clock)
  const connections = new Map<Socket, number>()
  let refusedBefore = false
  let held: Promise<void> | undefined

  const holdFirst = (refused: boolean): Promise<void> | undefined => {
    if (!refused || refusedBefore || script.kind === 'quota') return refused ? held : undefined
    refusedBefore = true
    held = clock.sleep(firstRefusalHeldMs).then(() => {
      held = undefined
    })
    return held
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const atMs = clock.monotonicMs()
    const { socket } = request
    const connection = connections.get(socket) ?? connections.size + 1
    connections.set(socket, connection)
    request.resume()
    const credential = credentialOf(request, key)
    const due = credential === 'bearer' ? answer() : unauthorized
    const { status } = due
    await holdFirst(status === 429 || status === 503)
    if (due.delayMs > 0) await clock.sleep(due.delayMs)
    const headers = due.headers()
    const gone = response.destroyed || socket.destroyed
    const answeredAtMs = gone ? null : clock.monotonicMs()
    const path = request.url ?? ''
    const method = request.method ?? ''
    onArrival({ atMs, answeredAtMs, connection, method, path, credential, status, headers, banned: due.banned })
    if (gone) return
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(method === 'HEAD' ? undefined : bodyOf(status, request))
  }
}

const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Starts a server of 127.0.0.1 that plays one script for one key, on a free port; it records every arrival. */
export const startScriptedServer = async (options: ScriptedServerOptions): Promise<ScriptedServer> => {
  const handle = handlerOf(options)
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => closing(server) }
}
