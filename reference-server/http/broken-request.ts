import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Boom } from '@hapi/boom'
import type { Behaviour } from '../behaviour.js'
import { type Pipeline, refusalOf, whenKnown } from '../pipeline.js'
import type { Answer } from './answer.js'
import type { RequestHead } from './bearer-keys.js'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** The 400 to a request that names two hosts (RFC 9112 §3.2); it ends the connection. */
export const twoHostsAnswer = (behaviour: Behaviour): Answer => {
  const answer = behaviour.errorAnswer(new Boom('the request names two hosts', { statusCode: 400 }))
  return { ...answer, headers: { ...answer.headers, Connection: 'close' } }
}

/** Answers a request that Node's parser could not read, with an Error body and all usual headers; then disconnects. */
export const answerBrokenRequest =
  (behaviour: Behaviour, pipeline: Pipeline) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const head: RequestHead = {
      method: undefined,
      url: undefined,
      headers: {},
      rawHeaders: [],
      socket: socket as RequestHead['socket'],
    }
    const failure = new Boom('the request is not readable', { statusCode: statuses[error.code ?? ''] ?? 400 })
    const answered = whenKnown(pipeline.enter(head, undefined), (call) =>
      pipeline.complete(
        call,
        call.ruling.outcome === 'admitted' ? behaviour.errorAnswer(failure) : refusalOf(behaviour, call),
      ),
    )
    void Promise.resolve(answered).then(
      (answer) => socket.end(asText(answer)),
      () => socket.destroy(),
    )
  }

const asText = ({ status, headers, body }: Answer): string => {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, length, 'Connection: close']
  return [...head, '', String(body)].join('\r\n')
}
