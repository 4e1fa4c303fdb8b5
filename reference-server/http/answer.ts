import type { ServerResponse } from 'node:http'
import { writeJson } from '../../src/kit/json.js'

/** An answer to the client, before it is put on the wire. Header names keep their case. */
export interface Answer {
  readonly status: number
  /** A list repeats the header. Content-Length is added unless there is a Transfer-Encoding. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Buffer
  /** The reason phrase, if not the usual one. */
  readonly reason?: string
  /** True to send it without a Date. */
  readonly undated?: boolean
  /** True to end the connection in the middle of the body. */
  readonly breaksOff?: boolean
}

/** The fields about quotas, or their replacements. Made anew for each answer. */
export type RateHeaders = Record<string, string | readonly string[]>

/** An answer with this value as JSON; a bigint keeps all its digits. */
export const jsonAnswer = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: writeJson(value),
})

/** The answer without these headers; names must have the case in which they are written. */
export const withoutHeaders = (answer: Answer, ...names: readonly string[]): Answer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name))),
})

/** The answer with these headers, which replace those of the same name. */
export const withHeaders = (answer: Answer, headers: Answer['headers']): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

/** Puts an answer on the wire, with header names as written. */
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
  else if (answer.breaksOff) response.write(body.slice(0, body.length / 2), () => response.destroy())
  else endWith(response, body)
}

/** Writes head and body at once: with `end(body)` Node would join two chunks, which costs more than everything else. */
const endWith = (response: ServerResponse, body: Answer['body']): void => {
  // There is no socket yet while the connection is still sending its previous answer.
  const { socket } = response
  socket?.cork()
  response.write(body)
  socket?.uncork()
  response.end()
}
