import { LosslessNumber, stringify } from 'lossless-json'
import { whyOf } from './usage-error.js'

/** A JSON value whose numbers keep their digits. */
export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

const number = /[-+.\deE]+/y

/**
 * Reads a text known to be JSON, keeping the digits of its numbers. Own code, because the library's parser gathers a string
 * character by character, at 32 bytes each. Throws a RangeError if the text is nested too deeply.
 */
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

/** A JSON number as written: `value` is its text. No digit is lost, whatever its size. */
export { LosslessNumber as JsonNumber }

export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: 'not-json' | 'too-deep'; readonly detail: string }

/** Reads JSON (RFC 8259) without losing a digit; if a name repeats, the last value counts. Never throws. */
export const readJson = (text: string): JsonReading => {
  try {
    JSON.parse(text)
    return { ok: true, value: new Reader(text).value() }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: 'too-deep', detail: 'nested too deeply' }
    return { ok: false, reason: 'not-json', detail: whyOf(error) }
  }
}

/** Writes JSON; a bigint or a {@link LosslessNumber} comes out digit for digit. */
export const writeJson = (value: unknown): string => stringify(value) ?? 'null'

export const isJsonObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)

/** More digits than any integer here needs: bounds the work that an exponent such as `1e99999` can cause. */
const mostDigits = 400

/**
 * The exact integer that a JSON number's text denotes, or undefined if it is none: `5`, `5.0` and `50e-1` are the integer 5;
 * `5.5` is none, nor is a number of more than 400 digits.
 */
export const exactInteger = (text: string): bigint | undefined => {
  // The fast path for nearly all numbers.
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return BigInt(text)
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match || text.length > mostDigits) return undefined
  const [, sign, whole, fraction = '', exponentText = '0'] = match
  const digits = whole + fraction
  if (/^0+$/.test(digits)) return 0n
  const shift = Number(exponentText) - fraction.length
  if (Math.abs(shift) > mostDigits) return undefined
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`)
  const kept = digits.slice(0, shift)
  if (!/^0+$/.test(digits.slice(shift).padStart(-shift, '0'))) return undefined
  return BigInt(`${sign}${kept === '' ? '0' : kept}`)
}
