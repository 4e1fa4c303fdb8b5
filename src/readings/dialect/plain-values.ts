import type { ResetUnit } from '../../contract/api-contract.js'
import { decimalIn } from '../../kit/decimal.js'
import { parseHttpDate } from '../../kit/http-date.js'
import { malformed, type NumberHeader } from '../header-values.js'
import { durationIn, isoMomentIn } from './moment-texts.js'

/** When a quota renews, as an answer shows it: seconds from the receipt of the answer, or since the epoch; fractions are kept. */
export type ResetReading =
  | Exclude<NumberHeader, { readonly state: 'number' }>
  | (Extract<NumberHeader, { readonly state: 'number' }> & { readonly from: 'now' | 'epoch' })

/** What is not there. */
export const absent = { state: 'absent' } as const

/** The one text that all lines of a field hold; undefined where they differ. Where it is sent as a list (RFC 9110 §5.3), its members. */
const oneText = (values: readonly string[], isList: boolean): { text: string; times: number } | undefined => {
  const members = isList ? values.flatMap((value) => value.split(',').map((member) => member.trim())) : values
  const [text] = members
  return members.every((member) => member === text) ? { text, times: members.length } : undefined
}

const isDigits = (text: string): boolean => /^\d+$/.test(text)

/** A field that should be one number: its values, trimmed, one a line. */
export const plainNumber = (values: readonly string[]): NumberHeader => {
  if (values.length === 0) return absent
  const one = oneText(values, true)
  const value = one && decimalIn(one.text)
  if (!one || value === undefined) return malformed(values)
  return { state: 'number', value, text: one.text, plain: one.times === 1 && isDigits(one.text) }
}

/** `32/40`: 32 of 40 are used. What is left is below 0 where more was used. */
export const usedOfLimit = (values: readonly string[]): { limit: NumberHeader; remaining: NumberHeader } => {
  const one = oneText(values, true)
  const [used, limit, ...more] = one?.text.split('/') ?? []
  const [usedNumber, limitNumber] = [decimalIn(used ?? ''), decimalIn(limit ?? '')]
  if (!one || more.length > 0 || usedNumber === undefined || limitNumber === undefined) {
    return { limit: malformed(values), remaining: malformed(values) }
  }
  const plain = one.times === 1 && isDigits(used) && isDigits(limit)
  return {
    limit: { state: 'number', value: limitNumber, text: limit, plain },
    remaining: { state: 'number', value: limitNumber - usedNumber, text: one.text, plain },
  }
}

/** How the text of each unit is read: into seconds, and from where they count. */
export const resetUnitReaders: Readonly<
  Record<
    ResetUnit,
    { readonly from: 'now' | 'epoch'; readonly isList: boolean; seconds(text: string): number | undefined }
  >
> = {
  'epoch-s': { from: 'epoch', isList: true, seconds: decimalIn },
  'epoch-ms': { from: 'epoch', isList: true, seconds: (text) => thousandth(decimalIn(text)) },
  'delta-s': { from: 'now', isList: true, seconds: decimalIn },
  'delta-ms': { from: 'now', isList: true, seconds: (text) => thousandth(decimalIn(text)) },
  duration: { from: 'now', isList: true, seconds: durationIn },
  'iso-8601': { from: 'epoch', isList: false, seconds: isoMomentIn },
  'http-date': { from: 'epoch', isList: false, seconds: (text) => thousandth(parseHttpDate(text)) },
}

const thousandth = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000)

const isNumeric = (unit: ResetUnit): boolean => /-m?s$/.test(unit)

/** A field that should name a moment, in its unit. */
export const plainReset = (values: readonly string[], unit: ResetUnit): ResetReading => {
  if (values.length === 0) return absent
  const { from, isList, seconds } = resetUnitReaders[unit]
  const one = oneText(values, isList)
  const value = one && seconds(one.text)
  if (!one || value === undefined) return malformed(values)
  const plain = one.times === 1 && (!isNumeric(unit) || isDigits(one.text))
  return { state: 'number', value, text: one.text, plain, from }
}
