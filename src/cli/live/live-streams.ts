import type { ServerResponse } from 'node:http'
import type { LiveParts } from '../../report/live/live-view.js'

/** What ends a stream: the report is there, or there will be none. */
export type StreamEnd = 'over' | 'gone'

/** How soon a page that lost its stream asks again, in milliseconds. */
const retryMs = 1_000

const message = (parts: Partial<LiveParts>): string => `data: ${JSON.stringify(parts)}\n\n`

/** The text that ends a stream of server-sent events. */
export const endOfStream = (why: StreamEnd): string => `event: ${why}\ndata: .\n\n`

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
