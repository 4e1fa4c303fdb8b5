import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { JsonNumber, writeJson } from '../../src/kit/json.js'
import { answering, type Departure, finishing, finishingAll, listing } from '../behaviour/behaviour.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import type { RequestHead } from '../http/bearer-keys.js'
import { fault, faultsOf } from './fault.js'
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

/** Answers some operations by a 500 where the head of a request is of a kind. */
const stumblesOver = (odd: (request: RequestHead) => boolean, ...operations: readonly OperationId[]): Departure =>
  answering(
    ({ request }, asBefore) => {
      if (odd(request)) throw new Error('the server stumbled')
      return asBefore()
    },
    ...operations,
  )

const reading = ['listInventory', 'getPet', 'listOrders'] as const

/** Departures from §7, and what no server should show. */
export const errorFaults = faultsOf('ERR', {
  'error-code-missing': fault('ERR-1')(
    'An Error body has no code.',
    writesErrors(({ message, status }) => ({ message, status })),
  ),
  'error-code-number': fault('ERR-1')(
    'The code of an Error body is a number.',
    writesErrors((body) => ({ ...body, code: body.status * 100 })),
  ),
  'error-message-missing': fault('ERR-1')(
    'The Error body of a 400 has no message.',
    writesErrors(({ code, status }) => ({ code, status }), [400]),
  ),
  'error-status-missing': fault('ERR-1')(
    'The Error body of a 401 has no status.',
    writesErrors(({ code, message }) => ({ code, message }), [401]),
  ),
  'not-found-in-another-shape': fault('ERR-1')(
    'The body of a 404 is {"error": …}.',
    writesErrors(({ message }) => ({ error: message }), [404]),
  ),
  'error-status-mismatch': fault('ERR-2')(
    'The status in an Error body is always 200.',
    writesErrors((body) => ({ ...body, status: 200 })),
  ),
  'absent-pet-status-mismatch': fault('ERR-2')(
    'The Error body of a 404 of GET /pets/{petId} says status 400.',
    finishing(404, (answer) => ({ ...answer, body: String(answer.body).replace(':404', ':400') }), 'getPet'),
  ),
  'error-code-empty': fault('ERR-3')(
    'The code of an Error body is an empty string.',
    writesErrors((body) => ({ ...body, code: '' })),
  ),
  'error-code-changing': fault('ERR-3')(
    'The code of an Error body has a running number in it.',
    (before, surroundings) => {
      let errors = 0
      return writesErrors((body) => {
        errors += 1
        return { ...body, code: `${body.code}_${errors}` }
      })(before, surroundings)
    },
  ),
  'stack-shown': fault('ERR-5')('The message of a 400 is a stack trace.', (before, surroundings) => {
    const stack = 'Error: invalid\n    at checkedQuantity (/srv/petstore/inventory/update-body.js:31:11)'
    return writesErrors((body) => ({ ...body, message: stack }), [400])(before, surroundings)
  }),
  'long-url-answers-500': fault('ERR-5')(
    'A GET whose URL has more than 1,000 characters gets 500.',
    stumblesOver(({ url = '' }) => url.length > 1_000, ...reading),
  ),
  'long-header-answers-500': fault('ERR-5')(
    'A GET with a header of more than 2,000 characters gets 500.',
    stumblesOver(({ rawHeaders }) => rawHeaders.some((text) => text.length > 2_000), ...reading),
  ),
  // Whoever asks with a valid key is to get the list, each time.
  'list-stumbles-at-times': fault('INV-1', 'ERR-5')('Every seventh GET /inventory gets 500.', (before, surroundings) =>
    stumblesOver(everyNth(7), 'listInventory')(before, surroundings),
  ),
})

/** Departures from §1. */
export const baseFaults = faultsOf('BASE', {
  'list-declared-as-text': fault('BASE-1')(
    'GET /inventory declares its JSON as text/plain.',
    finishing(200, (answer) => withHeaders(answer, { 'Content-Type': 'text/plain; charset=utf-8' }), 'listInventory'),
  ),
  'not-found-declared-as-html': fault('BASE-1')(
    'A 404 declares its JSON as text/html.',
    finishing(404, (answer) => withHeaders(answer, { 'Content-Type': 'text/html' })),
  ),
  // On another operation it would also be INV-1 or INV-3 that cannot be read.
  'orders-not-json': fault('BASE-1')(
    'GET /store/orders declares JSON, and its body does not parse.',
    finishing(200, (answer) => ({ ...answer, body: '[' }), 'listOrders'),
  ),
  'orders-not-utf8': fault('BASE-1')(
    'The body of GET /store/orders is JSON in Latin-1.',
    finishing(200, (answer) => ({ ...answer, body: Buffer.from('[{"note":"caf\u00e9"}]', 'latin1') }), 'listOrders'),
  ),
  'base-path-without-v1': fault('BASE-2')('The operations live under /api.', () => ({ basePath: '/api' })),
})

/** Departures from §9. */
export const versioningFaults = faultsOf('VER', {
  'deprecation-unmarked': fault('VER-1')(
    'GET /pets/{petId} has neither Deprecation nor Sunset.',
    finishingAll((answer) => withoutHeaders(answer, 'Deprecation', 'Sunset')),
  ),
})

/** Changes the third entry of the list; only one, so that every other clause can still be judged. */
const listsThird = (as: (item: InventoryItem) => object) =>
  listing((items) => items.map((item, index) => (index === 2 ? as(item) : item)))

const without = (name: keyof InventoryItem) => (item: InventoryItem) =>
  Object.fromEntries(Object.entries(item).filter(([each]) => each !== name))

const rounded = (item: InventoryItem) => ({ ...item, petId: BigInt(Number(item.petId)) })

/** Departures from §2 and §3. */
export const schemaFaults = faultsOf('SCHEMA', {
  // Two neighbours get one id, so that it no longer names one entry; the greatest int64 gets one beyond int64.
  'pet-id-rounded': fault('SCHEMA-1', 'INV-7')(
    'A petId above 2^53 is written as the nearest IEEE double.',
    listing((items) => items.map(rounded)),
  ),
  'pet-id-as-string': fault('SCHEMA-1')(
    'One entry of the list has its petId in quotes.',
    listsThird((item) => ({ ...item, petId: String(item.petId) })),
  ),
  'pet-id-missing': fault('SCHEMA-1')('One entry of the list has no petId.', listsThird(without('petId'))),
  'pet-id-beyond-int64': fault('SCHEMA-1')(
    'One entry of the list has the petId 2^63.',
    listsThird((item) => ({ ...item, petId: 2n ** 63n })),
  ),
  'quantity-as-string': fault('SCHEMA-2')(
    'One entry of the list has its quantity in quotes.',
    listsThird((item) => ({ ...item, quantity: String(item.quantity) })),
  ),
  'quantity-fraction': fault('SCHEMA-2')(
    'One entry of the list has a quantity of half a pet more.',
    listsThird((item) => ({ ...item, quantity: new JsonNumber(`${item.quantity}.5`) })),
  ),
  'quantity-null': fault('SCHEMA-2')(
    'One entry of the list has null as quantity.',
    listsThird((item) => ({ ...item, quantity: null })),
  ),
  'quantity-missing': fault('SCHEMA-2')('One entry of the list has no quantity.', listsThird(without('quantity'))),
  'status-unknown': fault('SCHEMA-3')(
    'One entry of the list has the status reserved.',
    listsThird((item) => ({ ...item, status: 'reserved' })),
  ),
  'status-capitalized': fault('SCHEMA-3')(
    'One entry of the list has its status in capitals.',
    listsThird((item) => ({ ...item, status: item.status.toUpperCase() })),
  ),
  'status-missing': fault('SCHEMA-3')('One entry of the list has no status.', listsThird(without('status'))),
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

/** A body in a coding that nobody but its writer knows. */
const coded = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Content-Encoding': 'x-unknown' }),
  body: Buffer.from(Buffer.from(answer.body).map((byte) => byte ^ 0xa5)),
})

/**
 * Answers whose body nobody can read. Each is no JSON (BASE-1), and is not what its operation or its status has to
 * carry either; what a list says of updates and ids is not broken by one that says nothing.
 */
export const unreadableFaults = [
  ...faultsOf('INV', {
    'list-cut-short': fault('BASE-1', 'INV-1')(
      'The list ends in the middle of an entry; its Content-Length is that of what is sent.',
      finishing(200, (answer) => ({ ...answer, body: answer.body.slice(0, -9) }), 'listInventory'),
    ),
    'list-breaks-off': fault('BASE-1', 'INV-1')(
      'The connection ends in the middle of the list, which comes in chunks.',
      finishing(200, brokenOff, 'listInventory'),
    ),
    'list-as-html-page': fault('BASE-1', 'INV-1')(
      'GET /inventory answers 200 with an HTML page.',
      finishing(200, asPage, 'listInventory'),
    ),
    'list-in-unreadable-coding': fault('BASE-1', 'INV-1')(
      'The list comes in a content coding that nobody has asked for or heard of.',
      finishing(200, coded, 'listInventory'),
    ),
    'list-without-body': fault('BASE-1', 'INV-1')(
      'GET /inventory answers 200 with an empty body.',
      finishing(200, withoutBody, 'listInventory'),
    ),
    'patch-breaks-off': fault('BASE-1', 'INV-3')(
      'The connection ends in the middle of the answer to a successful PATCH, which comes in chunks.',
      finishing(200, brokenOff, 'updateInventory'),
    ),
    'patch-answers-without-body': fault('BASE-1', 'INV-3')(
      'A successful PATCH answers 200 with an empty body.',
      finishing(200, withoutBody, 'updateInventory'),
    ),
  }),
  ...faultsOf('ERR', {
    'not-found-as-text': fault('BASE-1', 'ERR-1')(
      'The body of a 404 is text.',
      finishing(404, (answer) => ({
        ...withHeaders(answer, { 'Content-Type': 'text/plain' }),
        body: 'Not found',
      })),
    ),
    'bad-request-without-body': fault('BASE-1', 'ERR-1')('A 400 has an empty body.', finishing(400, withoutBody)),
    'unauthorized-as-html-page': fault('BASE-1', 'ERR-1')('The body of a 401 is an HTML page.', finishing(401, asPage)),
  }),
]
