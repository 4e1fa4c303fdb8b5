import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../kit/clock.js'
import { answer, ask, ok, recorded, secret, senderOf, serve } from './testing/byte-server.js'

it('is on record before whoever asked sees it', async () => {
  const port = await serve((socket) => socket.end(ok))
  const x = await senderOf(port).send(ask())
  expect(recorded.at(-1)).toBe(x)
})

describe('what is sent', () => {
  it('is the request that was asked for, to the byte, below the base address', async () => {
    let seen = ''
    const port = await serve((socket, request) => {
      seen = request
      socket.write(ok)
    })
    const body = '{"quantity":9223372036854775808}'
    const headers = [['Content-Type', 'application/json']] as const
    await senderOf(port).send(ask({ method: 'PATCH', path: '/inventory/7?a=b', headers, body }))
    const [head, sentBody] = seen.split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toBe('PATCH /v1/inventory/7?a=b HTTP/1.1')
    expect(head).toContain(`\r\nAuthorization: Bearer ${secret}`)
    expect(head).toContain('\r\nContent-Type: application/json')
    expect(sentBody).toBe(body)
  })

  it('may be bytes that are no text', async () => {
    let seen = ''
    const port = await serve((socket, request) => {
      seen = request
      socket.write(ok)
    })
    const x = await senderOf(port).send(ask({ method: 'PATCH', body: Uint8Array.from([0xff, 0x00, 0x41]) }))
    expect(seen.endsWith('\xff\x00A')).toBe(true)
    expect(x.request.body).toEqual({ encoding: 'base64', content: '/wBB', bytes: 3, truncated: false })
  })

  it('has a key in the query after what the query already holds', async () => {
    const seen: string[] = []
    const port = await serve((socket, request) => {
      seen.push(request.split('\r\n')[0])
      socket.write(ok)
    })
    const sender = senderOf(port)
    const credential = { form: 'query-api-key', key: 'free' } as const
    await sender.send(ask({ credential }))
    const x = await sender.send(ask({ credential, path: '/inventory?a=b' }))
    expect(seen).toEqual([
      `GET /v1/inventory?api_key=${secret} HTTP/1.1`,
      `GET /v1/inventory?a=b&api_key=${secret} HTTP/1.1`,
    ])
    expect(x.request.url).toBe(`http://127.0.0.1:${port}/v1/inventory?a=b&api_key=‹free key›`)
  })

  it('may carry one header twice, and no credential at all', async () => {
    const seen: string[] = []
    const port = await serve((socket, request) => {
      seen.push(request)
      socket.write(ok)
    })
    const sender = senderOf(port)
    await sender.send(ask({ credential: { form: 'two-headers', key: 'free' } }))
    const x = await sender.send(ask({ credential: { form: 'none' } }))
    expect(seen[0].match(/^authorization: /gim)).toHaveLength(2)
    expect(seen[1]).not.toMatch(/authorization/i)
    expect(x).toMatchObject({ key: null, credential: 'none' })
  })
})

describe('what is recorded', () => {
  it('is the answer as it came: names in their case and order, each as often as it came', async () => {
    const head = 'HTTP/1.1 201 Very Well\r\nX-B: 1\r\nx-a: 2\r\nX-B: 3\r\nContent-Type: application/json'
    const port = await serve((socket) => socket.write(answer(head, '{"a":1.0}')))
    const x = await senderOf(port).send(ask({ asksAgain: 'x0' }))
    expect(x).toMatchObject({
      id: 'x1',
      probe: 'hello',
      step: 'list',
      key: 'free',
      credential: 'bearer',
      asksAgain: 'x0',
    })
    expect(x).toMatchObject({ intent: { case: 'a case' }, operation: 'listInventory', error: null })
    expect(x.response).toEqual({
      status: 201,
      reason: 'Very Well',
      headers: [
        ['X-B', '1'],
        ['x-a', '2'],
        ['X-B', '3'],
        ['Content-Type', 'application/json'],
        ['Content-Length', '9'],
      ],
      body: { encoding: 'utf8', content: '{"a":1.0}', bytes: 9, truncated: false },
    })
  })

  it('has its times in order, counted from the start of the run', async () => {
    const port = await serve((socket) => socket.write(ok))
    const x = await senderOf(port, {}, systemClock.monotonicMs() - 5_000_000).send(ask())
    expect(x.sentAt).toBeGreaterThanOrEqual(5_000_000)
    expect(x.sentAt).toBeLessThan(5_060_000)
    expect(x.receivedAt).toBeGreaterThanOrEqual(x.sentAt)
    expect(x.endedAt).toBeGreaterThanOrEqual(x.receivedAt ?? Number.NaN)
  })

  it('numbers the exchanges as they end', async () => {
    const port = await serve((socket) => socket.write(ok))
    const sender = senderOf(port)
    const first = await sender.send(ask())
    expect([first.id, (await sender.send(ask())).id]).toEqual(['x1', 'x2'])
    expect(first.asksAgain).toBeNull()
  })

  it('keeps bytes that are no UTF-8 as they are', async () => {
    const port = await serve((socket) => socket.write(answer('HTTP/1.1 200 OK', Buffer.from([0x22, 0xe9, 0x22]))))
    const x = await senderOf(port).send(ask())
    expect(x.response?.body).toEqual({ encoding: 'base64', content: 'Iuki', bytes: 3, truncated: false })
  })

  it('takes the final answer, not one that only says to wait', async () => {
    const port = await serve((socket) =>
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n'), ok])),
    )
    const x = await senderOf(port).send(ask())
    expect(x.response).toMatchObject({ status: 200 })
    expect(x.response?.headers.map(([name]) => name)).not.toContain('X-Early')
  })

  it('holds no key, wherever the target sends it back', async () => {
    const port = await serve((socket) =>
      socket.write(
        answer(`HTTP/1.1 401 ${secret}\r\nX-Echo: Bearer ${secret}\r\nX-${secret}: 1`, `{"key":"${secret}","\xe9":1}`),
      ),
    )
    const latin1 = await serve((socket) =>
      socket.write(answer('HTTP/1.1 401 No', Buffer.from(`\xe9 ${secret}`, 'latin1'))),
    )
    const x = await senderOf(port).send(ask())
    expect(x.response?.status).toBe(401)
    expect(JSON.stringify(x)).not.toContain(secret)
    expect(x.response?.headers[0]).toEqual(['X-Echo', 'Bearer ‹free key›'])
    const other = await senderOf(latin1).send(ask())
    expect(other.response?.body.encoding).toBe('base64')
    expect(Buffer.from(other.response?.body.content ?? '', 'base64').toString('latin1')).not.toContain(secret)
  })

  it('keeps the first 4,096 bytes of what was sent', async () => {
    const port = await serve((socket) => socket.write(ok))
    const x = await senderOf(port).send(ask({ method: 'PATCH', body: 'x'.repeat(5000) }))
    expect(x.request.body).toEqual({ encoding: 'utf8', content: 'x'.repeat(4096), bytes: 5000, truncated: true })
  })

  it('stops reading a body that is too long, and says so', async () => {
    const port = await serve((socket) => socket.write(answer('HTTP/1.1 200 OK', 'y'.repeat(200_000))))
    const x = await senderOf(port, { mostBodyBytes: 1000 }).send(ask())
    expect(x.response?.status).toBe(200)
    expect(x.response?.body.truncated).toBe(true)
    expect(x.response?.body.content.length).toBeLessThanOrEqual(1000)
    expect(x.error).toMatchObject({ phase: 'body', message: 'the body is longer than 1000 bytes' })
  })
})

describe('an exchange that fails', () => {
  it('while connecting has never been sent', async () => {
    // Not one that was just free: a server beside may have been given it by now.
    const nobodys = 1
    const x = await senderOf(nobodys).send(ask())
    expect(x).toMatchObject({ response: null, receivedAt: null, error: { phase: 'connect', code: 'ECONNREFUSED' } })
  })

  it.each<[string, (socket: Socket) => void]>([
    ['by a closed connection', (socket) => socket.end()],
    ['by a broken connection', (socket) => socket.resetAndDestroy()],
    ['by something that is no HTTP', (socket) => socket.write('nonsense\r\n\r\n')],
    ['by headers without end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'z'.repeat(70_000)}`)],
  ])('%s before the status line has no answer', async (_name, break_) => {
    const port = await serve((socket) => break_(socket))
    const x = await senderOf(port).send(ask())
    expect(x).toMatchObject({ response: null, receivedAt: null, error: { phase: 'head' } })
    expect(x.error?.code).toMatch(/^[A-Z_]+$/)
  })

  it('by a body that breaks off keeps what came', async () => {
    const port = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1,2')
      socket.end()
    })
    const x = await senderOf(port).send(ask())
    expect(x.response).toMatchObject({ status: 200, body: { content: '[1,2', bytes: 4 } })
    expect(x.error?.phase).toBe('body')
  })

  it('by an answer that does not come ends at the time limit', async () => {
    const port = await serve(() => {})
    const x = await senderOf(port, { headMs: 50 }).send(ask())
    expect(x).toMatchObject({ response: null, error: { phase: 'head', code: 'UND_ERR_HEADERS_TIMEOUT' } })
  })

  it('by a body that trickles in ends at the time limit of the whole body', async () => {
    const timers: NodeJS.Timeout[] = []
    const port = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
      timers.push(setInterval(() => socket.write('x'), 5))
    })
    const x = await senderOf(port, { bodyMs: 60 }).send(ask())
    for (const timer of timers) clearInterval(timer)
    expect(x.error).toMatchObject({ phase: 'body', message: 'the body was not complete after 60 ms' })
    expect(x.response?.status).toBe(200)
  })

  it('because it can not be written as HTTP has never been sent', async () => {
    const port = await serve((socket) => socket.write(ok))
    const sender = senderOf(port)
    const x = await sender.send(ask({ headers: [['X-Bad', 'line\r\nbreak']] }))
    expect(x).toMatchObject({ response: null, error: { phase: 'connect', code: 'UND_ERR_INVALID_ARG' } })
    expect((await sender.send(ask())).response?.status).toBe(200)
  })

  it('does not show a key in the reason', async () => {
    const port = await serve((socket) => socket.write(`${secret}\r\n\r\n`))
    expect(JSON.stringify(await senderOf(port).send(ask()))).not.toContain(secret)
  })
})

describe('an interruption', () => {
  it('ends an exchange that is under way', async () => {
    const abort = new AbortController()
    const port = await serve(() => abort.abort())
    const x = await senderOf(port).send(ask(), abort.signal)
    expect(x).toMatchObject({ response: null, error: { phase: 'head', message: 'interrupted' } })
  })

  it('that came before lets nothing out', async () => {
    let requests = 0
    const port = await serve((socket) => {
      requests += 1
      socket.write(ok)
    })
    const sender = senderOf(port)
    const x = await sender.send(ask(), AbortSignal.abort())
    await sender.send(ask())
    expect(x.response).toBeNull()
    expect(requests).toBe(1)
  })

  it('leaves no listener behind', async () => {
    const port = await serve((socket) => socket.write(ok))
    const sender = senderOf(port)
    const { signal } = new AbortController()
    let listeners = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    for (let i = 0; i < 3; i += 1) await sender.send(ask(), signal)
    expect(listeners).toBe(0)
  })
})
