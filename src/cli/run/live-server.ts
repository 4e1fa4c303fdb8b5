import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { latch } from '../../kit/deadline.js'
import type { LiveParts } from './live-page.js'

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

/** How soon a page that lost its stream asks again, in milliseconds. */
const retryMs = 1_000

/** The text that ends a stream of server-sent events: the report is there, or there will be none. */
const endOfStream = (why: 'over' | 'gone'): string => `event: ${why}\ndata: .\n\n`

/** The open pages, each at the end of a stream of server-sent events. `all`: every place of the page, as it stands. */
export const createStreams = (all: () => LiveParts) => {
  const open = new Set<ServerResponse>()
  const behind = new Set<ServerResponse>()
  let wasWatched = false
  const message = (parts: Partial<LiveParts>) => `data: ${JSON.stringify(parts)}\n\n`
  return {
    count: () => open.size,
    wasWatched: () => wasWatched,
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
    /** Puts changed places of the page on every open one. */
    send(parts: Partial<LiveParts>): void {
      for (const stream of open) {
        // Who does not read gets all of it once he does, and no pile of it meanwhile.
        if (stream.writableNeedDrain) behind.add(stream)
        else stream.write(message(parts))
      }
    },
    /** Resolves once the last of it has left. */
    async end(why: 'over' | 'gone'): Promise<void> {
      const ended = (stream: ServerResponse) =>
        new Promise<void>((resolve) => stream.once('close', resolve).end(endOfStream(why)))
      await Promise.all([...open].map(ended))
    },
  }
}

/**
 * Serves a page on a free port of 127.0.0.1, below a path that nobody can guess, to who asks by a name of this machine: a
 * site whose name was pointed here (DNS rebinding) gets nothing. It takes nothing in. What it shows it asks for whenever it
 * needs it.
 */
export const openLiveServer = async (shown: { page(): string; parts(): LiveParts }) => {
  const path = `/${randomBytes(16).toString('base64url')}/`
  const streams = createStreams(shown.parts)
  let report: { readonly page: string; readonly wentOut: () => void } | undefined
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, path)
    const isHead = request.method === 'HEAD'
    if (refusal !== undefined) refuse(response, refusal)
    else if (request.url === path) {
      const body = Buffer.from(report?.page ?? shown.page())
      const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length }
      const wentOut = report?.wentOut
      response.writeHead(200, { ...headers, ...type }).end(isHead ? undefined : body, () => isHead || wentOut?.())
    } else {
      // A stream of what changes ends at once where the report is there.
      response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' })
      if (isHead) response.end()
      else if (report) response.end(endOfStream('over'))
      else streams.add(response)
    }
  })
  server.maxConnections = mostConnections
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    watchers: streams.count,
    /** Whether one ever was. */
    wasWatched: streams.wasWatched,
    send: streams.send,
    /** Puts the report in the place of the page, and has every open one load it. Resolves once it went out so many times. */
    async replace(page: string, times: number): Promise<void> {
      const { opened, open } = latch()
      let left = times
      const wentOut = () => {
        left -= 1
        if (left <= 0) open()
      }
      report = { page, wentOut }
      await streams.end('over')
      if (times > 0) await opened
    },
    /** Tells open pages that there will be no report. */
    giveUp: () => streams.end('gone'),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
