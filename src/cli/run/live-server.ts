import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { latch } from '../../kit/deadline.js'
import type { LiveParts } from '../../report/html/live-page.js'

/** What the server shows, asked for whenever it is needed. */
interface Shown {
  page(): string
  parts(): LiveParts
}

export interface LiveServer {
  readonly url: string
  /** How many pages are open. */
  watchers(): number
  /** Whether one ever was. */
  wasWatched(): boolean
  /** Puts changed places of the page on every open one. */
  send(parts: Partial<LiveParts>): void
  /** Puts the report in the place of the page, and has every open one load it. Resolves once it went out so many times. */
  replace(report: string, times: number): Promise<void>
  /** Tells open pages that there will be no report. */
  giveUp(): Promise<void>
  close(): Promise<void>
}

/** Connections at once; a browser takes two for a page. */
const mostConnections = 64

/**
 * The names by which a browser asks that sits on this machine, or at the other end of a tunnel, whose port is another.
 * No site can make one of them its own.
 */
const ownNames = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The rest of the policy stands in the page, where this has no effect.
  'Content-Security-Policy': "frame-ancestors 'none'",
} as const

const refusalOf = ({ method, url, headers: { host = '' } }: IncomingMessage, path: string): number | undefined => {
  if (!ownNames.test(host)) return 421
  if (url !== path && url !== `${path}events`) return 404
  return method === 'GET' || method === 'HEAD' ? undefined : 405
}

const refuse = (response: ServerResponse, status: number): void => {
  const allow = status === 405 ? { Allow: 'GET, HEAD' } : {}
  response.writeHead(status, { ...headers, ...allow, 'Content-Length': 0, Connection: 'close' }).end()
}

/** What ends a stream: the report is there, or there will be none. */
type StreamEnd = 'over' | 'gone'

/** How soon a page that lost its stream asks again, in milliseconds. */
const retryMs = 1_000

const message = (parts: Partial<LiveParts>): string => `data: ${JSON.stringify(parts)}\n\n`

/** The text that ends a stream of server-sent events. */
const endOfStream = (why: StreamEnd): string => `event: ${why}\ndata: .\n\n`

/** The open pages, each at the end of a stream of server-sent events. `all`: every place of the page, as it stands. */
export const createStreams = (all: () => LiveParts) => {
  const open = new Set<ServerResponse>()
  const behind = new Set<ServerResponse>()
  let wasWatched = false
  return {
    count: () => open.size,
    wasWatched: () => wasWatched,
    /** Adds a page, which is given all that is there. */
    add(stream: ServerResponse): void {
      wasWatched = true
      open.add(stream)
      stream.once('close', () => {
        open.delete(stream)
        behind.delete(stream)
      })
      stream.on('drain', () => {
        if (behind.delete(stream)) stream.write(message(all()))
      })
      stream.write(`retry: ${retryMs}\n\n${message(all())}`)
    },
    send(parts: Partial<LiveParts>): void {
      for (const stream of open) {
        // Who does not read gets all of it once he does, and no pile of it meanwhile.
        if (stream.writableNeedDrain) behind.add(stream)
        else stream.write(message(parts))
      }
    },
    /** Resolves once the last of it has left. */
    async end(why: StreamEnd): Promise<void> {
      await Promise.all(
        [...open].map((stream) => new Promise<void>((resolve) => stream.once('close', resolve).end(endOfStream(why)))),
      )
    },
  }
}

const listen = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

type Streams = ReturnType<typeof createStreams>

const answerPage = ({ method }: IncomingMessage, response: ServerResponse, page: string, wentOut = () => {}): void => {
  const body = Buffer.from(page)
  response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length })
  response.end(method === 'HEAD' ? undefined : body, () => method === 'GET' && wentOut())
}

/** Opens a stream of what changes, or ends it at once where the report is there. */
const answerStream = (
  { method }: IncomingMessage,
  response: ServerResponse,
  streams: Streams,
  isOver: boolean,
): void => {
  response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' })
  if (method === 'HEAD') response.end()
  else if (isOver) response.end(endOfStream('over'))
  else streams.add(response)
}

/** Counts until it was called so many times. */
const countdown = (times: number) => {
  let left = times
  const { opened, open } = latch()
  const count = () => {
    left -= 1
    if (left <= 0) open()
  }
  return { count, over: times > 0 ? opened : Promise.resolve() }
}

/**
 * Serves a page on a free port of 127.0.0.1, below a path that nobody can guess, to who asks by a name of this machine: a
 * site whose name was pointed here (DNS rebinding) gets nothing. It takes nothing in.
 */
export const openLiveServer = async (shown: Shown): Promise<LiveServer> => {
  const path = `/${randomBytes(16).toString('base64url')}/`
  const streams = createStreams(shown.parts)
  let report: { readonly page: string; readonly wentOut: () => void } | undefined

  const server = createServer((request, response) => {
    const refusal = refusalOf(request, path)
    if (refusal !== undefined) refuse(response, refusal)
    else if (request.url !== path) answerStream(request, response, streams, report !== undefined)
    else if (report) answerPage(request, response, report.page, report.wentOut)
    else answerPage(request, response, shown.page())
  })
  server.maxConnections = mostConnections
  const port = await listen(server)

  return {
    url: `http://127.0.0.1:${port}${path}`,
    watchers: streams.count,
    wasWatched: streams.wasWatched,
    send: streams.send,
    async replace(page, times) {
      const { count, over } = countdown(times)
      report = { page, wentOut: count }
      await streams.end('over')
      await over
    },
    giveUp: () => streams.end('gone'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
