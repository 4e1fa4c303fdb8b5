import { EventEmitter } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveParts } from './live-page.js'
import { createStreams, openLiveServer } from './live-server.js'

const parts: LiveParts = { progress: 'p', lanes: 'l', log: 'g' }

interface Asked {
  readonly path?: string
  readonly method?: string
  readonly host?: string
}

let server: Awaited<ReturnType<typeof openLiveServer>>
beforeEach(async () => {
  server = await openLiveServer({ page: () => '<p>page</p>', parts: () => parts })
})
afterEach(() => server.close())

const ask = ({ path = '', method = 'GET', host }: Asked = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = new URL(path, server.url)
    const asked = request(url, { method, headers: { Host: host ?? url.host }, agent: false }, resolve)
    asked.once('error', reject)
    asked.end()
  })

/** The text of a stream up to what is waited for. */
const until = async (stream: IncomingMessage, end: string): Promise<string> => {
  let read = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    read += chunk
    if (read.includes(end)) return read
  }
  return read
}

const watching = async (): Promise<IncomingMessage> => {
  const stream = await ask({ path: 'events' })
  await until(stream, '\n\ndata: {')
  return stream
}

describe('a run is shown', () => {
  it('on 127.0.0.1, below a path of 128 random bits', async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/)
    const other = await openLiveServer({ page: () => '', parts: () => parts })
    await other.close()
    expect(new URL(other.url).pathname).not.toBe(new URL(server.url).pathname)
  })

  it.each<[string, Asked, number]>([
    ['its page', {}, 200],
    ['its page by another name of this machine', { host: 'localhost:9' }, 200],
    ['its page at the end of a tunnel', { host: '[::1]:8080' }, 200],
    ['the head of its page', { method: 'HEAD' }, 200],
    ['nothing to a site whose name was pointed here', { host: 'attacker.example' }, 421],
    ['nothing to a name that begins like an own one', { host: '127.0.0.1.attacker.example' }, 421],
    ['nothing to a site that also knows the port', { host: 'localhost.attacker.example:80', path: 'events' }, 421],
    ['nothing without the path', { path: '/' }, 404],
    ['nothing below the path', { path: 'report.json' }, 404],
    ['nothing with another path', { path: '/AAAAAAAAAAAAAAAAAAAAAA/' }, 404],
    ['nothing to who sends', { method: 'POST' }, 405],
    ['nothing to who asks for leave', { method: 'OPTIONS' }, 405],
  ])('with %s', async (_, asked, status) => {
    const answer = await ask(asked)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['content-security-policy']).toBe("frame-ancestors 'none'")
    expect(await text(answer)).toBe(status === 200 && asked.method !== 'HEAD' ? '<p>page</p>' : '')
  })

  it('with all that there is to who comes late, and what changes to all who are there', async () => {
    const early = await watching()
    const late = await ask({ path: 'events' })
    expect(await until(late, '"g"}\n\n')).toContain(`data: ${JSON.stringify(parts)}\n\n`)
    expect(server.watchers()).toBe(2)
    server.send({ lanes: 'line\nfeed' })
    const expected = 'data: {"lanes":"line\\nfeed"}\n\n'
    expect(await Promise.all([early, late].map((each) => until(each, expected)))).toEqual([expected, expected])
  })

  it('to no one who has gone', async () => {
    const stream = await watching()
    const gone = new Promise((resolve) => stream.once('close', resolve))
    stream.destroy()
    await gone
    await expect.poll(() => server.watchers(), { timeout: 30_000 }).toBe(0)
    expect(server.wasWatched()).toBe(true)
  })
})

describe('the report', () => {
  it('takes the place of the page, and is over with once every open page has it', async () => {
    const [first, second] = [await watching(), await watching()]
    let isOver = false
    const over = server.replace('<p>report</p>', 2).then(() => {
      isOver = true
    })
    expect(await Promise.all([first, second].map(text))).toEqual(Array(2).fill('event: over\ndata: .\n\n'))
    expect(await text(await ask({ method: 'HEAD' }))).toBe('')
    expect(await text(await ask())).toBe('<p>report</p>')
    expect(isOver).toBe(false)
    expect(await text(await ask())).toBe('<p>report</p>')
    await over
  })

  it('waits for nobody where nobody looks', async () => {
    await server.replace('<p>report</p>', 0)
  })

  it('is told to a page that had lost its stream', async () => {
    await server.replace('<p>report</p>', 0)
    expect(await text(await ask({ path: 'events' }))).toBe('event: over\ndata: .\n\n')
  })

  it('is not waited for where there will be none', async () => {
    const stream = await watching()
    const told = text(stream)
    await server.giveUp()
    expect(await told).toBe('event: gone\ndata: .\n\n')
  })
})

const whole = `data: ${JSON.stringify(parts)}\n\n`

/** A page that reads, or does not, as it is told. */
class HeldPage extends EventEmitter {
  writableNeedDrain = false
  readonly written: string[] = []
  write(text: string) {
    this.written.push(text)
  }
}

const opened = () => {
  const streams = createStreams(() => parts)
  const page = new HeldPage()
  streams.add(page as unknown as ServerResponse)
  return { streams, page }
}

it('a page that does not read gets no pile of changes, and all of it once it reads again', () => {
  const { streams, page } = opened()
  page.writableNeedDrain = true
  for (let times = 0; times < 1_000; times += 1) streams.send({ log: 'line' })
  expect(page.written).toHaveLength(1)
  page.writableNeedDrain = false
  page.emit('drain')
  expect(page.written.slice(1)).toEqual([whole])
})

it('a page that has kept up gets nothing twice', () => {
  const { streams, page } = opened()
  streams.send({ log: 'line' })
  page.emit('drain')
  expect(page.written.slice(1)).toEqual(['data: {"log":"line"}\n\n'])
})

it('a page that was closed is written to no more, and was there all the same', () => {
  const { streams, page } = opened()
  page.emit('close')
  streams.send({ log: 'line' })
  expect([page.written.length, streams.count(), streams.wasWatched()]).toEqual([1, 0, true])
})
