import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LiveParts, openLiveServer } from './live-server.js'

let parts: LiveParts

interface Asked {
  readonly path?: string
  readonly method?: string
  readonly host?: string
}

let server: Awaited<ReturnType<typeof openLiveServer>>
beforeEach(async () => {
  parts = { progress: 'p', lanes: 'l', log: 'g' }
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
  await until(stream, '\n\n')
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

  it('with all that there is to who comes, and again and again as it is by then', async () => {
    const early = await watching()
    const late = await ask({ path: 'events' })
    expect(await until(late, '\n\n')).toBe(`data: ${JSON.stringify(parts)}\n\n`)
    parts = { ...parts, lanes: 'line\nfeed' }
    const expected = 'data: {"progress":"p","lanes":"line\\nfeed","log":"g"}\n\n'
    const told = await Promise.all([early, late].map((each) => until(each, expected)))
    expect(told.every((each) => each.endsWith(expected))).toBe(true)
  })
})

const overText = 'event: over\ndata: .\n\n'

describe('the report', () => {
  it('takes the place of the page, and is over with once every open page has it', async () => {
    const [first, second] = [await watching(), await watching()]
    let isOver = false
    const over = server.replace('<p>report</p>', false).then(() => {
      isOver = true
    })
    const ends = await Promise.all([first, second].map(text))
    expect(ends.map((each) => each.slice(-overText.length))).toEqual([overText, overText])
    expect(await text(await ask({ method: 'HEAD' }))).toBe('')
    expect(await text(await ask())).toBe('<p>report</p>')
    expect(isOver).toBe(false)
    expect(await text(await ask())).toBe('<p>report</p>')
    await over
  })

  it('waits for nobody where nobody looks', async () => {
    await server.replace('<p>report</p>', false)
  })

  it('is not waited for by a page that was closed', async () => {
    const stream = await watching()
    stream.destroy()
    await new Promise((resolve) => stream.once('close', resolve))
    const over = () => server.replace('<p>report</p>', true).then(() => 'over')
    await expect.poll(() => Promise.race([over(), after(50)]), { timeout: 30_000 }).toBe('over')
  })

  it('is waited for by a browser that was opened, and never looked', async () => {
    let isOver = false
    const over = server.replace('<p>report</p>', true).then(() => {
      isOver = true
    })
    expect(await text(await ask({ path: 'events' }))).toBe(overText)
    expect(isOver).toBe(false)
    expect(await text(await ask())).toBe('<p>report</p>')
    await over
  })

  it('is told to a page that had lost its stream', async () => {
    await server.replace('<p>report</p>', false)
    expect(await text(await ask({ path: 'events' }))).toBe(overText)
  })

  it('is not waited for where there will be none', async () => {
    const stream = await watching()
    const told = text(stream)
    await server.giveUp()
    expect(await told).toMatch(/event: gone\ndata: .\n\n$/)
  })
})
