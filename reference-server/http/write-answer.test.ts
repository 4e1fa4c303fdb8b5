import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Answer, writeAnswer } from './answer.js'

/** A socket that goes nowhere, and notes each write as a list of its chunks. */
class NotingSocket extends Socket {
  readonly writes: string[][] = []

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.writes.push([String(chunk)])
    done()
  }

  override _writev(chunks: { chunk: unknown }[], done: () => void): void {
    this.writes.push(chunks.map(({ chunk }) => String(chunk)))
    done()
  }
}

const responseOn = (socket: NotingSocket): ServerResponse => {
  const response = new ServerResponse(new IncomingMessage(socket))
  response.assignSocket(socket)
  return response
}

const answer: Answer = { status: 200, headers: { 'X-RateLimit-Limit': '60' }, body: '[{"petId":1}]' }

/** What goes out for an answer, write by write. */
const written = (method: string, each: Answer): string[][] => {
  const socket = new NotingSocket()
  writeAnswer(responseOn(socket), method, each)
  return socket.writes
}

describe('an answer on the wire', () => {
  it('is a single write of a single chunk, head and body together', () => {
    const [[text, ...chunks], ...writes] = written('GET', answer)
    expect([chunks, writes]).toEqual([[], []])
    const [head, body] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 13\r\nX-RateLimit-Limit: 60\r\nDate: /)
    expect(body).toBe(answer.body)
  })

  it('has the length of its body in bytes', () => {
    expect(
      written('GET', { ...answer, body: 'Füße' })
        .flat()
        .join(''),
    ).toContain('Content-Length: 6\r\n')
  })

  it.each([
    ['to HEAD', 'HEAD', answer],
    ['with an empty body', 'GET', { ...answer, body: '' }],
  ])('%s is its head alone', (_, method, each) => {
    expect(written(method, each).flat().join('')).toMatch(/^HTTP.+\r\n\r\n$/s)
  })

  it('waits for its turn where an earlier one is under way', () => {
    const socket = new NotingSocket()
    const [earlier, later] = [responseOn(socket), new ServerResponse(new IncomingMessage(socket))]
    writeAnswer(later, 'GET', { ...answer, body: 'later' })
    writeAnswer(earlier, 'GET', { ...answer, body: 'earlier' })
    expect(socket.writes.flat().join('')).not.toContain('later')
    earlier.detachSocket(socket)
    later.assignSocket(socket)
    expect(socket.writes.flat().join('')).toMatch(/earlier.+later$/s)
  })

  it('gives a header that comes several times a line each', () => {
    const repeated = { ...answer, headers: { 'Retry-After': ['5', '7'] } }
    expect(written('GET', repeated).flat().join('')).toMatch(/Retry-After: 5\r\nRetry-After: 7\r\n/)
  })
})
