import { finishing } from '../behaviour/departing.js'
import { withHeaders, withoutHeaders } from '../http/answer.js'
import { faultsOf } from './fault.js'

/** Departures from §1. */
export const baseFaults = faultsOf('BASE', [
  {
    id: 'list-declared-as-text',
    breaks: ['BASE-1'],
    sentence: 'GET /inventory declares its JSON as text/plain.',
    depart: finishing(
      200,
      (answer) => withHeaders(answer, { 'Content-Type': 'text/plain; charset=utf-8' }),
      'listInventory',
    ),
  },
  {
    id: 'not-found-declared-as-html',
    breaks: ['BASE-1'],
    sentence: 'A 404 declares its JSON as text/html.',
    depart: finishing(404, (answer) => withHeaders(answer, { 'Content-Type': 'text/html' })),
  },
  {
    // On another operation it would also be INV-1 or INV-3 that cannot be read.
    id: 'orders-not-json',
    breaks: ['BASE-1'],
    sentence: 'GET /store/orders declares JSON, and its body does not parse.',
    depart: finishing(200, (answer) => ({ ...answer, body: '[' }), 'listOrders'),
  },
  {
    id: 'orders-not-utf8',
    breaks: ['BASE-1'],
    sentence: 'The body of GET /store/orders is JSON in Latin-1.',
    depart: finishing(
      200,
      (answer) => ({ ...answer, body: Buffer.from('[{"note":"caf\u00e9"}]', 'latin1') }),
      'listOrders',
    ),
  },
  {
    id: 'base-path-without-v1',
    breaks: ['BASE-2'],
    sentence: 'The operations live under /api.',
    depart: () => ({ basePath: '/api' }),
  },
])

/** Departures from §9. */
export const versioningFaults = faultsOf('VER', [
  {
    id: 'deprecation-unmarked',
    breaks: ['VER-1'],
    sentence: 'GET /pets/{petId} has neither Deprecation nor Sunset.',
    depart: () => ({ finish: (answer) => withoutHeaders(answer, 'Deprecation', 'Sunset') }),
  },
])
