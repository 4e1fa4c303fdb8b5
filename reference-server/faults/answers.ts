import type { ClauseId } from '../../src/contract/clauses.js'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import { type InventoryItem, int64 } from '../../src/contract/petstore/schemas.js'
import { JsonNumber, writeJson } from '../../src/kit/json.js'
import { answering, type Departure, finishing, finishingAll, listing } from '../behaviour.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import type { RequestHead } from '../http/bearer-keys.js'
import { fault, faultsOf } from './fault.js'
import { listingUnderLoad } from './inventory.js'
import { everyNth } from './odd-meters.js'

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** Changes the Error body of a 400, 401 or 404. */
const writesErrors =
  (as: (body: ErrorBody) => object, statuses: readonly number[] = [400, 401, 404]): Departure =>
  (before) => ({
    errorAnswer(error) {
      const answer = before.errorAnswer(error)
      if (!statuses.includes(answer.status)) return answer
      return { ...answer, body: writeJson(as(JSON.parse(String(answer.body)))) }
    },
  })

const stumblesOver = (odd: (request: RequestHead) => boolean, ...operations: readonly OperationId[]): Departure =>
  answering(
    ({ request }, asBefore) => {
      if (odd(request)) throw new Error('the server stumbled')
      return asBefore()
    },
    ...operations,
  )

const reading = ['listInventory', 'getPet', 'listOrders'] as const

const stack = 'Error: invalid\n    at checkedQuantity (/srv/petstore/inventory/update-body.js:31:11)'

/** Departures from §7, and errors that no server should show. */
export const errorFaults = faultsOf('ERR', {
  'error-code-missing': fault('An Error body has no code.', 'ERR-1').by(
    writesErrors(({ message, status }) => ({ message, status })),
  ),
  'error-code-number': fault('The code of an Error body is a number.', 'ERR-1').by(
    writesErrors((body) => ({ ...body, code: body.status * 100 })),
  ),
  'error-message-missing': fault('The Error body of a 400 has no message.', 'ERR-1').by(
    writesErrors(({ code, status }) => ({ code, status }), [400]),
  ),
  'error-status-missing': fault('The Error body of a 401 has no status.', 'ERR-1').by(
    writesErrors(({ code, message }) => ({ code, message }), [401]),
  ),
  'not-found-in-another-shape': fault('The body of a 404 is {"error": …}.', 'ERR-1').by(
    writesErrors(({ message }) => ({ error: message }), [404]),
  ),
  'error-status-mismatch': fault('The status in an Error body is always 200.', 'ERR-2').by(
    writesErrors((body) => ({ ...body, status: 200 })),
  ),
  'absent-pet-status-mismatch': fault('The Error body of a 404 of GET /pets/{petId} says status 400.', 'ERR-2').by(
    finishing(404, (answer) => ({ ...answer, body: String(answer.body).replace(':404', ':400') }), 'getPet'),
  ),
  'error-code-empty': fault('An Error code is empty.', 'ERR-3').by(writesErrors((body) => ({ ...body, code: '' }))),
  'error-code-changing': fault('The code of an Error body contains a running number.', 'ERR-3').byEach(() => {
    let errors = 0
    return writesErrors((body) => {
      errors += 1
      return { ...body, code: `${body.code}_${errors}` }
    })
  }),
  'stack-shown': fault('The message of a 400 is a stack trace.', 'ERR-5').by(
    writesErrors((body) => ({ ...body, message: stack }), [400]),
  ),
  'long-url-answers-500': fault('A GET whose URL has more than 1,000 characters gets 500.', 'ERR-5').by(
    stumblesOver(({ url = '' }) => url.length > 1_000, ...reading),
  ),
  'long-header-answers-500': fault('A GET with a header of more than 2,000 characters gets 500.', 'ERR-5').by(
    stumblesOver(({ rawHeaders }) => rawHeaders.some((text) => text.length > 2_000), ...reading),
  ),
  // With a valid key, every request has to get the list.
  'list-stumbles-at-times': fault('Every seventh GET /inventory gets 500.', 'INV-1', 'ERR-5').byEach(() =>
    stumblesOver(everyNth(7), 'listInventory'),
  ),
})

export const baseFaults = faultsOf('BASE', {
  'list-declared-as-text': fault('GET /inventory declares its JSON as text/plain.', 'BASE-1').by(
    finishing(200, (answer) => withHeaders(answer, { 'Content-Type': 'text/plain; charset=utf-8' }), 'listInventory'),
  ),
  'not-found-declared-as-html': fault('A 404 declares its JSON as text/html.', 'BASE-1').by(
    finishing(404, (answer) => withHeaders(answer, { 'Content-Type': 'text/html' })),
  ),
  // On another operation, INV-1 or INV-3 could not be read either.
  'orders-not-json': fault('GET /store/orders declares JSON, and its body does not parse.', 'BASE-1').by(
    finishing(200, (answer) => ({ ...answer, body: '[' }), 'listOrders'),
  ),
  'orders-not-utf8': fault('The body of GET /store/orders is JSON in Latin-1.', 'BASE-1').by(
    finishing(200, (answer) => ({ ...answer, body: Buffer.from('[{"note":"caf\u00e9"}]', 'latin1') }), 'listOrders'),
  ),
  'base-path-without-v1': fault('The operations live under /api.', 'BASE-2').by(() => ({ basePath: '/api' })),
})

export const versioningFaults = faultsOf('VER', {
  'deprecation-unmarked': fault('GET /pets/{petId} has neither Deprecation nor Sunset.', 'VER-1').by(
    finishingAll((answer) => withoutHeaders(answer, 'Deprecation', 'Sunset')),
  ),
})

/** Changes only the third entry of the list, so that every other clause can still be judged. */
const third = (
  has: string,
  breaks: ClauseId,
  as: (item: InventoryItem) => { [Name in keyof InventoryItem]?: unknown },
) =>
  fault(`One entry of the list has ${has}.`, breaks).by(
    listing((items) => items.map((item, index) => (index === 2 ? { ...item, ...as(item) } : item))),
  )

export const schemaFaults = faultsOf('SCHEMA', {
  // Two neighbours get the same id, so it no longer names one entry; the greatest int64 gets an id beyond int64.
  'pet-id-rounded': fault('A petId above 2^53 is written as the nearest IEEE double.', 'SCHEMA-1', 'INV-7').by(
    listing((items) => items.map((item) => ({ ...item, petId: BigInt(Number(item.petId)) }))),
  ),
  'pet-id-as-string': third('its petId in quotes', 'SCHEMA-1', ({ petId }) => ({ petId: String(petId) })),
  'pet-id-missing': third('no petId', 'SCHEMA-1', () => ({ petId: undefined })),
  'pet-id-beyond-int64': third('the petId 2^63', 'SCHEMA-1', () => ({ petId: 2n ** 63n })),
  'quantity-as-string': third('its quantity in quotes', 'SCHEMA-2', (item) => ({ quantity: String(item.quantity) })),
  'quantity-fraction': third('a quantity that is half a pet too high', 'SCHEMA-2', ({ quantity }) => ({
    quantity: new JsonNumber(`${quantity}.5`),
  })),
  'quantity-null': third('null as quantity', 'SCHEMA-2', () => ({ quantity: null })),
  'quantity-missing': third('no quantity', 'SCHEMA-2', () => ({ quantity: undefined })),
  'greatest-id-without-quantity': fault('The pet with the greatest petId is listed without a quantity.', 'SCHEMA-2').by(
    listing((items) => items.map((item) => (item.petId === int64.max ? { ...item, quantity: undefined } : item))),
  ),
  'status-unknown': third('the status reserved', 'SCHEMA-3', () => ({ status: 'reserved' })),
  'status-capitalized': third('its status in capitals', 'SCHEMA-3', ({ status }) => ({ status: status.toUpperCase() })),
  'status-missing-under-load': fault(
    'After 20 others in the same 100 ms the list shows an entry without a status.',
    'SCHEMA-3',
  ).by(listingUnderLoad((items) => items.map((item, i) => (i === 2 ? { ...item, status: undefined } : item)))),
  'status-missing': third('no status', 'SCHEMA-3', () => ({ status: undefined })),
})

const page = '<!doctype html>\n<title>Petstore</title>\n<p>Something is on its way.</p>\n'

const asPage = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Content-Type': 'text/html; charset=utf-8' }),
  body: page,
})

const withoutBody = (answer: Answer): Answer => ({ ...answer, body: '' })

/** A chunked body whose last chunk never comes. */
const brokenOff = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Transfer-Encoding': 'chunked' }),
  breaksOff: true,
})

const coded = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Content-Encoding': 'x-unknown' }),
  body: Buffer.from(Buffer.from(answer.body).map((byte) => byte ^ 0xa5)),
})

const unreadable = (operation: OperationId, breaks: ClauseId) => (sentence: string, as: (answer: Answer) => Answer) =>
  fault(sentence, 'BASE-1', breaks).by(finishing(200, as, operation))
const list = unreadable('listInventory', 'INV-1')
const patch = unreadable('updateInventory', 'INV-3')

/** Answers with an unreadable body: not JSON (BASE-1), nor what their operation or status has to carry. */
export const unreadableFaults = [
  ...faultsOf('INV', {
    'list-cut-short': list(
      'The list ends in the middle of an entry; Content-Length matches what is sent.',
      (answer) => ({ ...answer, body: answer.body.slice(0, -9) }),
    ),
    'list-breaks-off': list('The list comes in chunks, and the connection ends in the middle of it.', brokenOff),
    'list-as-html-page': list('GET /inventory answers 200 with an HTML page.', asPage),
    'list-in-unreadable-coding': list('The list comes in an unknown content coding that nobody asked for.', coded),
    'list-without-body': list('GET /inventory answers 200 with an empty body.', withoutBody),
    'patch-breaks-off': patch(
      'The answer to a successful PATCH comes in chunks, and the connection ends in the middle of it.',
      brokenOff,
    ),
    'patch-answers-without-body': patch('A successful PATCH answers 200 with an empty body.', withoutBody),
  }),
  ...faultsOf('ERR', {
    'not-found-as-text': fault('The body of a 404 is text.', 'BASE-1', 'ERR-1').by(
      finishing(404, (answer) => ({ ...withHeaders(answer, { 'Content-Type': 'text/plain' }), body: 'Not found' })),
    ),
    'bad-request-without-body': fault('A 400 has an empty body.', 'BASE-1', 'ERR-1').by(finishing(400, withoutBody)),
    'unauthorized-as-html-page': fault('The body of a 401 is HTML.', 'BASE-1', 'ERR-1').by(finishing(401, asPage)),
  }),
]
