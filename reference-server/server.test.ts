import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningServer } from './http/listening.js'
import type { ReferenceServerOptions } from './petstore-app.js'
import { startReferenceServer } from './petstore-app.js'

const running: RunningServer[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

const start = async (options: ReferenceServerOptions = {}) => {
  const server = await startReferenceServer({ keys: [{ plan: 'free', secret: 'free-key' }], ...options })
  running.push(server)
  return server
}

/** Sends these bytes on a connection of its own, and gives back all that comes until it is closed. */
const exchange = async (url: string, ...lines: string[]): Promise<Buffer> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([...lines, '', ''].join('\r\n'))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const listing = ['GET /v1/inventory HTTP/1.1', 'Host: localhost', 'Authorization: Bearer free-key']
const closing = 'Connection: close'

describe('the reference server', () => {
  it('says where it listens, and no longer answers once it is closed', async () => {
    const server = await startReferenceServer()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect((await fetch(`${server.url}/inventory`)).status).toBe(401)
    await server.close()
    await expect(fetch(`${server.url}/inventory`)).rejects.toThrow()
  })

  it('has a base address without /v1 where that is the fault', async () => {
    expect((await start({ faults: ['base-path-without-v1'] })).url).toMatch(/:\d+\/api$/)
  })

  it.each([
    ['what is no HTTP', ['GARBAGE'], 400],
    ['a head too large', [...listing, `X-Large: ${'x'.repeat(20_000)}`], 431],
    ['an unknown method', ['BREW /v1/inventory HTTP/1.1', 'Host: localhost'], 400],
  ])('answers %s with an Error body and the three headers', async (_, lines, status) => {
    const { url } = await start()
    const answer = (await exchange(url, ...lines)).toString()
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/X-RateLimit-Limit: 600\r\nX-RateLimit-Remaining: 599\r\nX-RateLimit-Reset: \d{10}\r\n/)
    expect(answer).toMatch(new RegExp(`"status":${status}}$`))
  })

  it('takes two Authorization headers for no key, unless it is varied to take the first', async () => {
    const lines = [...listing, 'Authorization: Bearer free-key', closing]
    const strict = await start()
    expect((await exchange(strict.url, ...lines)).toString()).toMatch(/^HTTP\/1\.1 401 /)
    const lenient = await start({ variations: ['first-of-two-keys'] })
    expect((await exchange(lenient.url, ...lines)).toString()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('writes a header twice where that is the fault', async () => {
    const { url } = await start({ faults: ['headers-twice'] })
    expect((await exchange(url, ...listing, closing)).toString().match(/^X-RateLimit-Reset: /gm)).toHaveLength(2)
  })

  it('closes an idle connection after a second, leaves the Date off, and compresses, where it is varied so', async () => {
    const { url } = await start({ variations: ['keep-alive-of-a-second', 'undated', 'gzip'] })
    const answer = await exchange(url, ...listing, 'Accept-Encoding: gzip', closing)
    const head = answer.subarray(0, answer.indexOf('\r\n\r\n')).toString()
    expect(head).not.toMatch(/^Date:/m)
    expect(gunzipSync(answer.subarray(head.length + 4)).toString()).toContain('"petId":9007199254740995')
    const kept = await fetch(`${url}/inventory`)
    expect(kept.headers.get('keep-alive')).toBe('timeout=1')
    await kept.text()
  })

  it('answers a banned key with 429 where it is varied so', async () => {
    const options = { quotas: { free: { minute: 1, day: 9 } }, ban: { threshold: 1 } }
    const { url } = await start({ ...options, variations: ['ban-as-429'] })
    const codes = []
    for (const _ of [1, 2, 3]) {
      const answer = await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer free-key' } })
      codes.push([answer.status, ((await answer.json()) as { message?: string }).message])
    }
    expect(codes.slice(1).map(([status]) => status)).toEqual([429, 429])
    expect(codes[2][1]).toContain('banned')
  })

  it('admits exactly the limit of a burst', async () => {
    const { url } = await start()
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => fetch(`${url}/inventory`, { headers: { authorization: 'Bearer free-key' } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})
