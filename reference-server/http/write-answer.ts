import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.js'

/** Puts an answer on the wire, the header names as they are written. */
export const writeAnswer = (response: ServerResponse, method: string | undefined, answer: Answer): void => {
  const { status, reason, headers, body } = answer
  const chunked = headers['Transfer-Encoding'] !== undefined
  const lines: string[] = chunked ? [] : ['Content-Length', String(Buffer.byteLength(body))]
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
 * Ends an answer with its body. `end(body)` alone would hand two chunks to the socket, and gathering strings costs more
 * than all that the server does: head and body go out together, in one plain write, and the end has nothing left to send.
 */
const endWith = (response: ServerResponse, body: Answer['body']): void => {
  // There is none yet where the connection's earlier answer is still under way.
  const { socket } = response
  socket?.cork()
  response.write(body)
  socket?.uncork()
  response.end()
}

/** Half of a body, and then nothing more on this connection. */
const breakOff = (response: ServerResponse, body: Answer['body']): void => {
  response.write(body.slice(0, body.length / 2), () => response.destroy())
}
