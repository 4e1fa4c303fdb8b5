import { badData } from '@hapi/boom'
import { exactInteger } from '../../src/kit/exact-integer.js'
import { isJsonObject, type Json, JsonNumber, readJson } from '../../src/kit/lossless-json.js'
import type { Departure } from '../behaviour/behaviour.js'
import { entryOf, readingBody, updating } from '../behaviour/departing.js'
import { jsonAnswer } from '../http/answer.js'
import { faultsOf } from './fault.js'

/** Accepts a body that has no valid quantity. */
const accepts = (lenient: (body: Json) => bigint | undefined): Departure =>
  readingBody((body, asBefore) => {
    const reading = readJson(body?.toString() ?? '')
    return (reading.ok ? lenient(reading.value) : undefined) ?? asBefore(body)
  })

/** The quantity that a body names, of whatever kind. */
export const quantityOf = (body: Json): Json | undefined =>
  isJsonObject(body) && Object.hasOwn(body, 'quantity') ? body.quantity : undefined

const integerOf = (value: Json | undefined) => (value instanceof JsonNumber ? exactInteger(value.value) : undefined)

const isBroken = (body: Buffer | undefined) => body !== undefined && body.length > 0 && !readJson(body.toString()).ok

/** Departures from §4: which bodies of a PATCH are taken. */
export const bodyFaults = faultsOf('INV', [
  {
    id: 'missing-quantity-accepted',
    breaks: ['INV-4'],
    sentence: 'A PATCH with an empty object gets 200, and leaves the quantity as it is.',
    depart: updating((call, update, self) => {
      const reading = readJson(call.body?.toString() ?? '')
      const item = entryOf(call, self)
      const empty = reading.ok && isJsonObject(reading.value) && !Object.hasOwn(reading.value, 'quantity')
      return empty && item ? jsonAnswer(200, item) : update()
    }),
  },
  {
    id: 'missing-body-answers-422',
    breaks: ['INV-4'],
    sentence: 'A PATCH without a body gets 422.',
    depart: readingBody((body, asBefore) => {
      if (body === undefined || body.length === 0) throw badData('the body is missing')
      return asBefore(body)
    }),
  },
  {
    id: 'string-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'A quantity in quotes is taken for the number.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      return typeof quantity === 'string' ? exactInteger(quantity) : undefined
    }),
  },
  {
    id: 'fraction-cut-off',
    breaks: ['INV-5'],
    sentence: 'A fraction is cut off to an integer.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      if (!(quantity instanceof JsonNumber) || exactInteger(quantity.value) !== undefined) return undefined
      const whole = Math.trunc(Number(quantity.value))
      return Number.isSafeInteger(whole) ? BigInt(whole) : undefined
    }),
  },
  {
    id: 'boolean-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'True is taken for 1, false for 0.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      return typeof quantity === 'boolean' ? BigInt(quantity) : undefined
    }),
  },
  {
    id: 'null-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'Null is taken for 0.',
    depart: accepts((body) => (quantityOf(body) === null ? 0n : undefined)),
  },
  {
    id: 'array-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'A list as quantity is taken for its first number.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      return Array.isArray(quantity) ? (integerOf(quantity[0]) ?? 0n) : undefined
    }),
  },
  {
    id: 'bare-body-accepted',
    breaks: ['INV-5'],
    sentence: 'A body that is a number, a string or a list is taken for a quantity.',
    depart: accepts((body) => (isJsonObject(body) ? undefined : (integerOf(body) ?? 0n))),
  },
  {
    id: 'broken-json-answers-422',
    breaks: ['INV-5'],
    sentence: 'A body that is no JSON gets 422.',
    depart: readingBody((body, asBefore) => {
      if (isBroken(body)) throw badData('the body is not JSON')
      return asBefore(body)
    }),
  },
  {
    id: 'broken-json-answers-500',
    breaks: ['INV-5', 'ERR-5'],
    sentence: 'A body that is no JSON gets 500.',
    depart: readingBody((body, asBefore) => {
      if (isBroken(body)) throw new Error('the server stumbled')
      return asBefore(body)
    }),
  },
  {
    id: 'text-behind-json-accepted',
    breaks: ['INV-5'],
    sentence: 'The body is read up to the end of its first JSON object, and what comes behind is not looked at.',
    depart: readingBody((body, asBefore) => {
      const text = body?.toString() ?? ''
      const first = Buffer.from(text.slice(0, text.indexOf('}') + 1))
      return asBefore(isBroken(body) && !isBroken(first) && first.length > 0 ? first : body)
    }),
  },
])
