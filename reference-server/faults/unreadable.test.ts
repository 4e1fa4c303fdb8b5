import { afterEach, describe, expect, it } from 'vitest'
import type { RunningServer } from '../http/listening.js'
import { startReferenceServer } from '../petstore-app.js'

const running: RunningServer[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

const keys = [{ plan: 'free', secret: 'free-key' }] as const
const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }

const patch = (petId: string, body: string) => ({ path: `/inventory/${petId}`, method: 'PATCH', body })
const list = { path: '/inventory', method: 'GET', body: undefined }

/** What a client reads of one answer: its status, type and coding, and its body as far as it came. */
const read = async (fault: string, { path, ...request }: typeof list | ReturnType<typeof patch>, key = headers) => {
  const server = await startReferenceServer({ keys, faults: [fault] })
  running.push(server)
  const answer = await fetch(server.url + path, { ...request, headers: key })
  const body = await answer.arrayBuffer().then(
    (bytes) => Buffer.from(bytes).toString('latin1'),
    () => 'broke off',
  )
  const { status } = answer
  return { status, type: answer.headers.get('content-type'), coding: answer.headers.get('content-encoding'), body }
}

const json = 'application/json'

describe('an answer that nobody can read', () => {
  it('is a list that ends in the middle, and says so nowhere', async () => {
    const { status, type, body } = await read('list-cut-short', list)
    expect([status, type]).toEqual([200, json])
    expect(body).toMatch(/^\[\{"petId":1,.+[^\]]$/)
  })

  it.each([
    ['list-breaks-off', list],
    ['patch-breaks-off', patch('1', '{"quantity":4}')],
  ])('is one whose connection ends before its last chunk: %s', async (fault, request) => {
    expect(await read(fault, request)).toMatchObject({ status: 200, type: json, body: 'broke off' })
  })

  it.each([
    ['list-without-body', list, 200, json],
    ['patch-answers-without-body', patch('1', '{"quantity":4}'), 200, json],
    ['bad-request-without-body', patch('1', '{}'), 400, json],
  ])('is an empty one: %s', async (fault, request, status, type) => {
    expect(await read(fault, request)).toMatchObject({ status, type, body: '' })
  })

  it('is a page, or text', async () => {
    expect(await read('list-as-html-page', list)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    expect(await read('not-found-as-text', patch('999', '{"quantity":4}'))).toMatchObject({
      status: 404,
      type: 'text/plain',
      body: 'Not found',
    })
    const stranger = { ...headers, authorization: 'Bearer another' }
    const { status, body } = await read('unauthorized-as-html-page', list, stranger)
    expect([status, body]).toEqual([401, expect.stringContaining('<!doctype html>')])
  })

  it('is a list in a coding that nobody knows', async () => {
    const { coding, body } = await read('list-in-unreadable-coding', list)
    expect(coding).toBe('x-unknown')
    expect(body).not.toContain('petId')
  })

  it.each(['list-as-html-page', 'list-breaks-off', 'patch-breaks-off'])(
    'is no other one than it says: %s',
    async (id) => {
      const other = id.startsWith('list') ? patch('1', '{"quantity":4}') : list
      expect(JSON.parse((await read(id, other)).body)).toBeTruthy()
    },
  )
})
