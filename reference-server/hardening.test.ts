import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningServer } from './http/listening.js'
import type { ReferenceServerOptions } from './petstore-app.js'
import { startReferenceServer } from './petstore-app.js'

const running: RunningServer[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(running.splice(0).map((server) => server.close()))
})

const start = async (options: ReferenceServerOptions = {}) => {
  const server = await startReferenceServer({ keys: [{ plan: 'pro', secret: 'pro-key' }], ...options })
  running.push(server)
  return server
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

/** A connection, and all that has come on it so far. */
const open = ({ url }: RunningServer) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  const heard = { text: '' }
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (text) => {
    heard.text += text
  })
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard.text)))
  const untilAnswered = (times: number) =>
    new Promise<string>((resolve) => {
      const look = () => statuses(heard.text).length >= times && resolve(heard.text)
      socket.on('data', look)
      look()
    })
  return { socket, heard, closed, untilAnswered }
}

const authorized = 'Host: localhost\r\nAuthorization: Bearer pro-key\r\n'
const body = '{"quantity":987654}'
const change = `PATCH /v1/inventory/1 HTTP/1.1\r\n${authorized}Content-Type: application/json\r\n`
const smuggled = `GET /v1/inventory HTTP/1.1\r\n${authorized}\r\n`
const length = `Content-Length: ${body.length}\r\n`
const size = body.length.toString(16)

describe('a request whose end two readers would see in two places', () => {
  it.each([
    ['a length and chunks', `${change}${length}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths that differ', `${change}${length}Content-Length: 3\r\n\r\n${body}${smuggled}`],
    ['one length twice', `${change}${length}${length}\r\n${body}${smuggled}`],
    ['a list of lengths', `${change}Content-Length: ${body.length}, ${body.length}\r\n\r\n${body}${smuggled}`],
    ['a signed length', `${change}Content-Length: +${body.length}\r\n\r\n${body}${smuggled}`],
    ['a length below zero', `${change}Content-Length: -1\r\n\r\n${body}${smuggled}`],
    ['a length in hexadecimal', `${change}Content-Length: 0x${size}\r\n\r\n${body}${smuggled}`],
    ['chunked, then identity', `${change}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a coding like chunked', `${change}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a blank before the colon', `${change}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a folded Transfer-Encoding', `${change}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunks in HTTP/1.0', `${change.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['line feeds alone', `${change}${length}\r\n${body}`.replaceAll('\r\n', '\n')],
    ['a line feed alone in the head', `${change}X-Odd: a\n${length}\r\n${body}${smuggled}`],
    ['a carriage return alone', `${change}X-Odd: a\rContent-Length: 3\r\n\r\n${body}${smuggled}`],
    ['a NUL in the head', `${change}X-Odd: a\0b\r\n${length}\r\n${body}${smuggled}`],
    [
      'a chunk size that ends with a line feed',
      `${change}Transfer-Encoding: chunked\r\n\r\n${size}\n${body}\r\n0\r\n\r\n`,
    ],
    ['a chunk size beyond all numbers', `${change}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n${body}`],
    ['two Hosts', `GET /v1/inventory HTTP/1.1\r\nhost: elsewhere\r\n${authorized}\r\n${smuggled}`],
    ['two Hosts on a change', `${change}HOST: localhost\r\n${length}\r\n${body}${smuggled}`],
    ['no Host', `GET /v1/inventory HTTP/1.1\r\nAuthorization: Bearer pro-key\r\n\r\n${smuggled}`],
  ])('%s: is answered 400 once, changes nothing, and ends its connection', async (_, bytes) => {
    const server = await start()
    const { socket, closed } = open(server)
    socket.write(bytes, 'latin1')
    expect(statuses(await closed)).toEqual([400])
    const list = await fetch(`${server.url}/inventory`, { headers: { authorization: 'Bearer pro-key' } })
    expect(await list.text()).not.toContain('987654')
  })
})

describe('a slow client', () => {
  const slowest = { headMs: 60, requestMs: 120 }

  it.each([
    ['says nothing', ''],
    ['stops in its head', `GET /v1/inventory HTTP/1.1\r\n${authorized}`],
    ['stops in its body', `${change}${length}\r\n{`],
  ])('that %s is let go', async (_, bytes) => {
    const server = await start({ slowest })
    const { socket, closed } = open(server)
    socket.write(bytes)
    const text = await closed
    expect(statuses(text)).toEqual([408])
    expect(text).toMatch(/"status":408\}$/)
  })

  it('keeps nobody else waiting, nor do many that are idle', async () => {
    const server = await start()
    const idle = Array.from({ length: 500 }, () => open(server))
    await Promise.all(idle.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))))
    const list = await fetch(`${server.url}/inventory`, { headers: { authorization: 'Bearer pro-key' } })
    expect(list.status).toBe(200)
  })
})

describe('a server that is told to stop', () => {
  it('answers a change whose body is still on its way, and then ends the connection', async () => {
    const server = await start()
    const { socket, closed, untilAnswered } = open(server)
    // The server says 100 once it has read the head.
    socket.write(`${change}${length}Expect: 100-continue\r\n\r\n`)
    await untilAnswered(1)
    const closing = server.close()
    socket.write(body)
    const text = await closed
    await closing
    expect(statuses(text)).toEqual([100, 200])
    expect(text).toContain('"quantity":987654')
  })

  it('answers every change that it takes in, and takes in none that it does not answer', async () => {
    const server = await start({ quotas: { pro: { minute: 100_000, day: 100_000 } } })
    const clients = Array.from({ length: 8 }, () => {
      const client = open(server)
      let sent = 0
      const send = () => {
        sent += 1
        client.socket.write(`${change}${length}\r\n${body}`)
      }
      client.socket.on('data', () => {
        if (client.heard.text.split('"quantity":987654').length > sent) send()
      })
      send()
      return { ...client, sent: () => sent }
    })
    await clients[0].untilAnswered(20)
    await server.close()
    for (const { closed, sent } of clients) {
      const answers = statuses(await closed)
      expect(answers).toEqual(answers.map(() => 200))
      // The last one may have met a connection that was closed before it was read: then nobody took it in.
      expect(sent() - answers.length).toBeLessThanOrEqual(1)
    }
  })
})
