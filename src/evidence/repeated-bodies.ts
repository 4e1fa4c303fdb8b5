import { z } from 'zod'
import type { Exchange, RecordedBody } from './exchange.js'

/** A shorter body is written again: a name for it would save nothing. */
const shortest = 1_024

/** In place of its content, a body in the journal names the exchange that had the same one before. */
const repeated = z.looseObject({
  response: z.looseObject({ body: z.looseObject({ sameAs: z.string() }) }),
})

/** Writes each body to a journal but once, where the same is kept of several exchanges. */
export const bodiesOnce = (): ((x: Exchange) => unknown) => {
  const written = new WeakMap<RecordedBody, string>()
  return (x) => {
    const { response } = x
    if (!response || response.body.content.length < shortest) return x
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

  /** The line as a record has to be, and the exchange that its body is to be taken from, if there is one. */
  filled(line: unknown): { readonly line: unknown; readonly sameAs?: string } {
    const found = repeated.safeParse(line)
    if (!found.success) return { line }
    const { response } = found.data
    return {
      line: { ...found.data, response: { ...response, body: { ...response.body, content: '' } } },
      sameAs: response.body.sameAs,
    }
  }

  /** The exchange with the body it had; undefined where that is missing. */
  restored<X extends Exchange>(x: X, sameAs?: string): X | undefined {
    if (!x.response) return x
    if (sameAs === undefined) {
      if (x.response.body.content.length >= shortest) this.#read.set(x.id, x.response.body)
      return x
    }
    const body = this.#read.get(sameAs)
    return body && { ...x, response: { ...x.response, body } }
  }
}
