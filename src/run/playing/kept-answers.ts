import { hash } from 'node:crypto'
import { beginning, cutHeaders, headerCost } from '../../evidence/cut-headers.js'
import type { Exchange, HeaderLine, RecordedBody } from '../../evidence/exchange.js'

/** How much a run keeps of all its answers together. Beyond it, of each answer only a part is kept. */
export interface KeptRoom {
  /** In bytes, as the journal writes them. */
  readonly bodies: number
  /** How many values the JSON of all bodies may have: once read, a value takes many times the memory of its text. */
  readonly values: number
  /** In bytes, with those that a line costs besides its text. */
  readonly headers: number
}

/** So that a run fits in a few hundred megabytes, whatever its target sends. Equal bodies and headers count once. */
const usualRoom: KeptRoom = { bodies: 48 * 2 ** 20, values: 2_000_000, headers: 8 * 2 ** 20 }

/** Bytes that are kept of each body in any case: a whole error, or the beginning of a list. */
const leastBody = 16 * 2 ** 10

type Response = NonNullable<Exchange['response']>

/** Bounds what a run keeps of its target's answers: whole as long as there is room, and equal parts only once. */
export class KeptAnswers {
  readonly #bodies = new Map<string, RecordedBody>()
  readonly #lines = new Map<string, HeaderLine>()
  #bodyRoom: number
  #valueRoom: number
  #headerRoom: number
  #long = 0
  #cutBodies = 0
  #cutHeaders = 0

  constructor(readonly room: KeptRoom = usualRoom) {
    this.#bodyRoom = room.bodies
    this.#valueRoom = room.values
    this.#headerRoom = room.headers
  }

  /** The exchange as it is recorded. A body that did not fit is `truncated`. */
  keep(x: Exchange): Exchange {
    const { response } = x
    if (!response) return x
    if (response.body.truncated) this.#long += 1
    const body = this.#keepBody(response.body)
    const headers = this.#keepHeaders(response.headers)
    return { ...x, response: { ...response, reason: beginning(response.reason), headers, body } }
  }

  /** What was left out, in sentences for the record. */
  told(): string[] {
    const [long, cutBodies, cutHeaders] = [this.#long, this.#cutBodies, this.#cutHeaders]
    return [
      ...(long > 0 ? [`the body of ${answers(long)} was too long, or had too many values, to be read to its end`] : []),
      ...(cutBodies > 0
        ? [
            `the body of ${answers(cutBodies)} was kept in part (${leastBody / 2 ** 10} KiB): there is room for so much in a run`,
          ]
        : []),
      ...(cutHeaders > 0
        ? [`of ${answers(cutHeaders)} only the headers were kept that checks read: there is room for so many in a run`]
        : []),
    ]
  }

  #keepBody(body: RecordedBody): RecordedBody {
    const { content, ...rest } = body
    const name = hash('sha256', JSON.stringify(rest) + content, 'base64')
    const known = this.#bodies.get(name)
    if (known) return known
    const bytes = Buffer.byteLength(JSON.stringify(content))
    const values = valuesIn(content)
    if (content.length > leastBody && (bytes > this.#bodyRoom || values > this.#valueRoom)) {
      this.#cutBodies += 1
      return { ...body, content: beginning(content, leastBody), truncated: true }
    }
    this.#bodyRoom -= bytes
    this.#valueRoom -= values
    this.#bodies.set(name, body)
    return body
  }

  #keepHeaders(headers: Response['headers']): HeaderLine[] {
    const cost = headers.reduce((sum, line) => (this.#lines.has(lineName(line)) ? sum : sum + headerCost(line)), 0)
    if (cost > this.#headerRoom) {
      this.#cutHeaders += 1
      return cutHeaders(headers)
    }
    this.#headerRoom -= cost
    return headers.map((line) => {
      const name = lineName(line)
      const known = this.#lines.get(name) ?? line
      this.#lines.set(name, known)
      return known
    })
  }
}

const valuesIn = (text: string): number => {
  let values = 1
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) values += 1
  return values
}

const answers = (count: number): string => `${count} ${count === 1 ? 'answer' : 'answers'}`

const lineName = ([name, value]: HeaderLine): string => `${name}: ${value}`
