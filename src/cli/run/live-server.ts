import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { latch } from '../../kit/deadline.js'

/** The parts of the page that change during a run, each with its markup. */
export type LiveParts = Readonly<Record<'progress' | 'lanes' | 'log', string>>

/** The most connections at once; a browser uses two for a page. */
const mostConnections = 64
const tellEveryMs = 500

/** Hosts of a browser here, or at the other end of a tunnel, whose port differs. No website can have one of them. */
const ownNames = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The rest of the policy is in the page, where this directive would have no effect.
  'Content-Security-Policy': "frame-ancestors 'none'",
} as const

const refusalOf = ({ method, url, headers: { host = '' } }: IncomingMessage, path: string): number | undefined => {
  if (!ownNames.test(host)) return 421
  if (url !== path && url !== `${path}events`) return 404
  return method === 'GET' || method === 'HEAD' ? undefined : 405
}

/** Why a stream of server-sent events ends: the report is ready, or there will be none. */
type End = 'over' | 'gone'

const endOfStream = (why: End): string => `event: ${why}\ndata: .\n\n`

/**
 * Serves a page on a free port of 127.0.0.1, below a path that nobody can guess, only to requests for a name of this
 * machine: a website whose name was pointed here (DNS rebinding) gets nothing. It accepts no input, and keeps sending each
 * open page the current state of its parts.
 */
export const openLiveServer = async (shown: { page(): string; parts(): LiveParts }) => {
  const path = `/${randomBytes(16).toString('base64url')}/`
  const pages = new Set<ServerResponse>()
  let wasWatched = false
  let ended: End | undefined
  let report: { readonly page: string; readonly wentOut: () => void } | undefined
  const event = () => `data: ${JSON.stringify(shown.parts())}\n\n`
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, path)
    if (refusal !== undefined) {
      const allow = refusal === 405 ? { Allow: 'GET, HEAD' } : {}
      response.writeHead(refusal, { ...headers, ...allow, 'Content-Length': 0, Connection: 'close' }).end()
    } else if (request.url === path) {
      const wentOut = request.method === 'GET' ? report?.wentOut : undefined
      response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' })
      response.end(report?.page ?? shown.page(), wentOut)
    } else {
      response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' })
      if (request.method === 'HEAD') response.end()
      else if (ended) response.end(endOfStream(ended))
      else {
        wasWatched = true
        pages.add(response)
        response.once('close', () => pages.delete(response)).write(event())
      }
    }
  })
  server.maxConnections = mostConnections
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const telling = setInterval(() => {
    // Sends nothing to a page that does not read, so that nothing piles up.
    const reading = [...pages].filter(({ writableNeedDrain }) => !writableNeedDrain)
    const told = reading.length > 0 ? event() : ''
    for (const page of reading) page.write(told)
  }, tellEveryMs)
  const end = async (why: End): Promise<void> => {
    ended = why
    clearInterval(telling)
    const closed = (page: ServerResponse) =>
      new Promise<void>((resolve) => page.once('close', resolve).end(endOfStream(why)))
    await Promise.all([...pages].map(closed))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    /** Shows the report, until each page has it. `isAwaited`: a browser is expected, though none has come yet. */
    async replace(page: string, isAwaited: boolean): Promise<void> {
      let left = wasWatched ? pages.size : Number(isAwaited)
      const all = latch()
      if (left === 0) all.open()
      const wentOut = () => {
        left -= 1
        if (left <= 0) all.open()
      }
      report = { page, wentOut }
      await end('over')
      await all.opened
    },
    /** Tells open pages that there will be no report. */
    giveUp: () => end('gone'),
    close: () =>
      new Promise<void>((resolve) => {
        clearInterval(telling)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
