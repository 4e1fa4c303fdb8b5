import { z } from 'zod'
import type { Exchange, RecordedBody } from './exchange.js'

/** In characters. A shorter body is written again: naming another exchange would save little. */
const shortestNamed = 1_024

/** In place of its content, a body in the journal names the exchange that had the same one before. */
const repeated = z.looseObject({
  response: z.looseObject({ body: z.looseObject({ sameAs: z.string() }) }),
})

/** For a journal: replaces a body that an earlier exchange had too by that exchange's id. */
export const bodiesOnce = (): ((x: Exchange) => unknown) => {
  const written = new WeakMap<RecordedBody, string>()
  return (x) => {
    const { response } = x
    if (!response || response.body.content.length < shortestNamed) return x
    const { content: _content, ...rest } = response.body
    const sameAs = written.get(response.body)
    if (sameAs !== undefined) return { ...x, response: { ...response, body: { ...rest, sameAs } } }
    written.set(response.body, x.id)
    return x
  }
}

/** Puts the bodies of a journal, read line after line, back in their places. */
export class BodiesAgain {
  readonly #read = new Map<string, RecordedBody>()
  /** The short ones by what they say, so that answers which say the same share a body, which is then read once. */
  readonly #short = new Map<string, RecordedBody>()

  /** The line in the form of a record, and the id of the exchange that had its body first, where it names one. */
  filled(line: unknown): { readonly line: unknown; readonly sameAs?: string } {
    const found = repeated.safeParse(line)
    if (!found.success) return { line }
    const { response } = found.data
    return {
      line: { ...found.data, response: { ...response, body: { ...response.body, content: '' } } },
      sameAs: response.body.sameAs,
    }
  }

  /** The exchange with its body; undefined where the exchange that had it first is missing. */
  restored<X extends Exchange>(x: X, sameAs?: string): X | undefined {
    if (!x.response) return x
    const body = sameAs === undefined ? this.#shared(x.id, x.response.body) : this.#read.get(sameAs)
    if (body === x.response.body) return x
    return body && { ...x, response: { ...x.response, body } }
  }

  /** The body that an exchange before this one had, where it is the same; else its own. */
  #shared(id: string, body: RecordedBody): RecordedBody {
    if (body.content.length >= shortestNamed) {
      this.#read.set(id, body)
      return body
    }
    const said = `${body.encoding} ${body.bytes} ${body.truncated} ${body.coding} ${body.content}`
    const known = this.#short.get(said)
    if (known) return known
    this.#short.set(said, body)
    return body
  }
}
