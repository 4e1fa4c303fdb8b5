import { LosslessNumber } from 'lossless-json'

/** A JSON value whose numbers keep their digits. */
export type Json = string | boolean | null | LosslessNumber | readonly Json[] | { readonly [name: string]: Json }

/**
 * The value of a text that is known to be JSON, the digits of its numbers kept. In own code because the library's
 * parser gathers a string one character after the other, at 32 bytes each. Throws a RangeError where the text is nested
 * too deeply.
 */
export const readValue = (text: string): Json => new Reader(text).value()

const number = /[-+.\deE]+/y

/** Reads a text from the first character that was not read yet. */
class Reader {
  #at = 0

  constructor(readonly text: string) {}

  value(): Json {
    switch (this.#next()) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  /** Skips white space, and looks at the next character without reading it. */
  #next(): string {
    while (this.text.charCodeAt(this.#at) <= 0x20) this.#at += 1
    return this.text[this.#at]
  }

  #object(): Json {
    const entries: { [name: string]: Json } = {}
    this.#at += 1
    while (this.#next() !== '}') {
      if (this.text[this.#at] === ',') this.#at += 1
      this.#next()
      const name = this.#string()
      this.#next()
      this.#at += 1
      const value = this.value()
      // An assignment would set the object's prototype.
      if (name === '__proto__') {
        Object.defineProperty(entries, name, { value, enumerable: true, configurable: true, writable: true })
      } else entries[name] = value
    }
    this.#at += 1
    return entries
  }

  #array(): Json {
    const elements: Json[] = []
    this.#at += 1
    while (this.#next() !== ']') {
      if (this.text[this.#at] === ',') this.#at += 1
      elements.push(this.value())
    }
    this.#at += 1
    return elements
  }

  #string(): string {
    const from = this.#at
    let to = this.text.indexOf('"', from + 1)
    while (this.#isEscaped(to)) to = this.text.indexOf('"', to + 1)
    this.#at = to + 1
    const raw = this.text.slice(from + 1, to)
    return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw
  }

  #isEscaped(at: number): boolean {
    let first = at
    while (this.text[first - 1] === '\\') first -= 1
    return (at - first) % 2 === 1
  }

  #word<T>(word: string, value: T): T {
    this.#at += word.length
    return value
  }

  #number(): Json {
    number.lastIndex = this.#at
    const [digits] = number.exec(this.text) ?? ['']
    this.#at += digits.length
    return new LosslessNumber(digits)
  }
}
