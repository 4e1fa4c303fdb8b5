import { writeJson } from '../../src/kit/lossless-json.js'

/** What goes back to the client, before it is put on the wire. Header names are written in the case given. */
export interface Answer {
  readonly status: number
  /** A list stands for a header that comes several times. Content-Length is added unless there is a Transfer-Encoding. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Buffer
  /** The reason phrase, where it is not the usual one. */
  readonly reason?: string
  /** True: it goes out without a Date. */
  readonly undated?: boolean
  /** True: the connection ends in the middle of the body. */
  readonly breaksOff?: boolean
}

/** An answer whose body is this value as JSON; a bigint comes out digit for digit. */
export const jsonAnswer = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: writeJson(value),
})
