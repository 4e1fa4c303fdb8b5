import { LosslessNumber, stringify } from 'lossless-json'
import { type Json, readValue } from './json-text.js'

export type { Json } from './json-text.js'
/** A JSON number as it was written: `value` is its text. No digit is lost, whatever its size. */
export { LosslessNumber as JsonNumber }

export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: 'not-json' | 'too-deep'; readonly detail: string }

/**
 * Reads JSON without losing a digit. The platform's parser decides what is valid (RFC 8259); of a name that comes twice
 * the last value counts, as it does there. Never throws.
 */
export const readJson = (text: string): JsonReading => {
  try {
    JSON.parse(text)
    return { ok: true, value: readValue(text) }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: 'too-deep', detail: 'nested too deeply' }
    return { ok: false, reason: 'not-json', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Writes JSON; a bigint or a {@link LosslessNumber} comes out digit for digit. */
export const writeJson = (value: unknown, indent?: number): string => stringify(value, undefined, indent) ?? 'null'

/** A JSON object, not an array and not a number. */
export const isJsonObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
