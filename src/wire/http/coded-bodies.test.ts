import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { answer, ask, secret, senderOf, serve } from './testing/byte-server.js'

const encoded = (coding: string, body: Buffer) => answer(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}`, body)

describe('a coded body', () => {
  const list = JSON.stringify([{ note: secret }])

  it.each([
    ['gzip', gzipSync(list)],
    ['deflate', deflateSync(list)],
    ['br', brotliCompressSync(list)],
  ])('in %s is asked for, and recorded as it was before, without the secret in it', async (coding, coded) => {
    let seen = ''
    const port = await serve((socket, request) => {
      seen = request
      socket.write(encoded(coding, coded))
    })
    const x = await senderOf(port).send(ask())
    expect(seen).toContain('\r\nAccept-Encoding: gzip, deflate, br\r\n')
    expect(x.response?.headers).toContainEqual(['Content-Encoding', coding])
    const content = '[{"note":"‹free key›"}]'
    expect(x.response?.body).toEqual({
      encoding: 'utf8',
      content,
      bytes: Buffer.byteLength(list),
      truncated: false,
      coding: 'undone',
    })
  })

  it.each([
    ['that nobody knows', 'zebra', gzipSync(list)],
    ['that it is not in', 'gzip', Buffer.from([0xff, 0x00])],
    ['that breaks off', 'gzip', gzipSync(list).subarray(0, -9)],
  ])('in one %s is unreadable, and not kept: a secret could be in it', async (_name, coding, coded) => {
    const port = await serve((socket) => socket.write(encoded(coding, coded)))
    const x = await senderOf(port).send(ask())
    expect(x.error).toBeNull()
    expect(x.response?.body).toMatchObject({ content: '', bytes: coded.length, coding: 'unreadable' })
  })

  it('is read up to the bound, however much is in it', async () => {
    const bomb = encoded('gzip', gzipSync(Buffer.alloc(8 * 2 ** 20, 'x')))
    const port = await serve((socket) => socket.write(bomb))
    const x = await senderOf(port, { mostBodyBytes: 70_000 }).send(ask())
    expect(x.response?.body).toMatchObject({ content: 'x'.repeat(70_000), truncated: true, coding: 'undone' })
  })

  it('that breaks off is read as far as it came, with no beginning of a secret at its end', async () => {
    const coded = gzipSync(`${'x'.repeat(100)}${secret}`, { level: 0 })
    const port = await serve((socket) => socket.end(encoded('gzip', coded).subarray(0, -12)))
    const x = await senderOf(port).send(ask())
    expect(x.error?.phase).toBe('body')
    expect(x.response?.body.content).toMatch(/^x{100}(‹free key›)?$/)
  })
})
