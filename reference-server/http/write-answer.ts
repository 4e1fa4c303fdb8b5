import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.js'

/** Puts an answer on the wire, the header names as they are written. */
export const writeAnswer = (response: ServerResponse, method: string | undefined, answer: Answer): void => {
  const { status, reason, headers, body } = answer
  const chunked = headers['Transfer-Encoding'] !== undefined
  // A 204 has no length (RFC 9110 §8.6).
  const lines: string[] = chunked || status === 204 ? [] : ['Content-Length', String(Buffer.byteLength(body))]
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') lines.push(name, value)
    else response.setHeader(name, value)
  }
  if (answer.undated) response.sendDate = false
  if (reason === undefined) response.writeHead(status, lines)
  else response.writeHead(status, reason, lines)
  if (method === 'HEAD') response.end()
  else if (answer.breaksOff) breakOff(response, body)
  else endWith(response, body)
}

/**
 * Ends an answer with its body, so that head and body are one write. `end(body)` would give the socket two chunks,
 * which Node joins at a cost beyond all else that the server does.
 */
const endWith = (response: ServerResponse, body: Answer['body']): void => {
  // There is no socket yet while the connection's earlier answer is under way.
  const { socket } = response
  socket?.cork()
  response.write(body)
  socket?.uncork()
  response.end()
}

/** Sends half of a body, and ends the connection. */
const breakOff = (response: ServerResponse, body: Answer['body']): void => {
  response.write(body.slice(0, body.length / 2), () => response.destroy())
}
