import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { postText } from './post-text.js'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A receiver on a port of its own; returns its address. */
const receiver = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> => {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return new URL(`http://127.0.0.1:${address.port}/hooks/a?b=1`)
}

/** So long that a crowded machine is never the reason; a test of a time that is up names its own. */
const neverMs = 60_000
const sizes = { mostBodyBytes: 1024, mostHeaderBytes: 16_384 }
const limits = { connectMs: neverMs, headMs: neverMs, bodyMs: neverMs, ...sizes }

const post = { contentType: 'application/json', body: '{"text":"é"}' }

describe('posting a text', () => {
  it('sends it once, whole, with its media type, to the path and query of the address', async () => {
    const seen: unknown[] = []
    const url = await receiver((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url: path, headers } = request
        seen.push([method, path, headers['content-type'], headers.authorization, Buffer.concat(chunks).toString()])
        response.writeHead(204).end()
      })
    })
    expect(await postText({ ...post, url, authorization: 'Bearer s3cret' })).toEqual({ status: 204 })
    expect(seen).toEqual([['POST', '/hooks/a?b=1', 'application/json', 'Bearer s3cret', '{"text":"é"}']])
  })

  it('names the status of a refusal, and follows no redirect', async () => {
    let asked = 0
    const url = await receiver((request, response) => {
      asked += 1
      request.resume()
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await postText({ ...post, url })).toEqual({ status: 302 })
    expect(asked).toBe(1)
  })

  it('gives up on a receiver that never answers', async () => {
    const url = await receiver((request) => request.resume())
    expect(await postText({ ...post, url }, { ...limits, headMs: 100 })).toEqual({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  })

  it('takes a status for an answer, however its body ends', async () => {
    const url = await receiver((request, response) => {
      request.resume()
      response.writeHead(200).write('…')
    })
    expect(await postText({ ...post, url }, { ...limits, bodyMs: 100 })).toEqual({ status: 200 })
  })

  it('names the code where nobody listens', async () => {
    const url = await receiver(() => {})
    const [server] = servers.splice(0)
    await new Promise((resolve) => server?.close(resolve))
    expect(await postText({ ...post, url })).toEqual({ code: 'ECONNREFUSED' })
  })
})
