import { withHeaders } from '../http/header-edits.js'
import { faultsOf } from './fault.js'

/** Departures from §1. */
export const baseFaults = faultsOf('BASE', [
  {
    id: 'list-declared-as-text',
    breaks: ['BASE-1'],
    sentence: 'GET /inventory declares its JSON as text/plain.',
    depart: () => ({
      finish: (answer, { operation }) =>
        operation === 'listInventory' && answer.status === 200
          ? withHeaders(answer, { 'Content-Type': 'text/plain; charset=utf-8' })
          : answer,
    }),
  },
  {
    id: 'not-found-declared-as-html',
    breaks: ['BASE-1'],
    sentence: 'A 404 declares its JSON as text/html.',
    depart: () => ({
      finish: (answer) => (answer.status === 404 ? withHeaders(answer, { 'Content-Type': 'text/html' }) : answer),
    }),
  },
  {
    // On another operation it would also be INV-1 or INV-3 that cannot be read.
    id: 'orders-not-json',
    breaks: ['BASE-1'],
    sentence: 'GET /store/orders declares JSON, and its body does not parse.',
    depart: () => ({
      finish: (answer, { operation }) =>
        operation === 'listOrders' && answer.status === 200 ? { ...answer, body: '[' } : answer,
    }),
  },
  {
    id: 'orders-not-utf8',
    breaks: ['BASE-1'],
    sentence: 'The body of GET /store/orders is JSON in Latin-1.',
    depart: () => ({
      finish: (answer, { operation }) =>
        operation === 'listOrders' && answer.status === 200
          ? { ...answer, body: Buffer.from('[{"note":"caf\u00e9"}]', 'latin1') }
          : answer,
    }),
  },
  {
    id: 'base-path-without-v1',
    breaks: ['BASE-2'],
    sentence: 'The operations live under /api.',
    depart: () => ({ basePath: '/api' }),
  },
])
