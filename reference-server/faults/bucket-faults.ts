import { type Call, counting, type Departure } from '../behaviour.js'
import { ignoresKeyCase } from './auth.js'
import { fault } from './fault.js'

/** Gives each spelling its own quota. */
export const opensBucketBy = (spelling: (call: Pick<Call, 'request' | 'operation'>) => string): Departure =>
  counting((subject, arrival) => {
    const mark = arrival.account ? spelling(arrival) : ''
    return mark === '' ? subject : { ...subject, id: `${subject.id} ${mark}` }
  })

const opensBucketByHeader = (name: string): Departure =>
  opensBucketBy(({ request }) => String(request.headers[name] ?? ''))

/** Departures from QUOTA-6: the spelling of a request gives it its own quota. */
export const bucketFaults = {
  'scheme-case-opens-bucket': fault('Each spelling of the scheme has a quota of its own.', 'QUOTA-6').by(
    opensBucketBy(({ request }) => request.headers.authorization?.slice(0, 6).replace('Bearer', '') ?? ''),
  ),
  // A key in another case is a different key, which nobody was given.
  'key-case-opens-bucket': fault('A key is accepted in any case, with a quota for each case.', 'AUTH-2', 'QUOTA-6').by(
    ignoresKeyCase,
    opensBucketBy(({ request }) => request.headers.authorization?.split(/\s+/)[1] ?? ''),
  ),
  'api-key-header-opens-bucket': fault('Each X-Api-Key beside Authorization has a quota of its own.', 'QUOTA-6').by(
    opensBucketByHeader('x-api-key'),
  ),
  'cookie-opens-bucket': fault('Each cookie has a quota of its own.', 'QUOTA-6').by(opensBucketByHeader('cookie')),
  'proxy-header-opens-bucket': fault('Each CF-Connecting-IP has a quota of its own.', 'QUOTA-6').by(
    opensBucketByHeader('cf-connecting-ip'),
  ),
  'forwarded-for-opens-bucket': fault('Each X-Forwarded-For has a quota of its own.', 'QUOTA-6').by(
    opensBucketByHeader('x-forwarded-for'),
  ),
  'accept-opens-bucket': fault('Each Accept has a quota of its own.', 'QUOTA-6').by(opensBucketByHeader('accept')),
  'query-opens-bucket': fault('Each query string has a quota of its own.', 'QUOTA-6').by(
    opensBucketBy(({ request }) => request.url?.split('?')[1] ?? ''),
  ),
  'path-spelling-opens-bucket': fault('Each way to percent-encode a path has a quota of its own.', 'QUOTA-6').by(
    opensBucketBy(({ request }) => (request.url?.includes('%') ? request.url : '')),
  ),
  'operation-opens-bucket': fault('Each operation has a quota of its own.', 'QUOTA-6').by(
    opensBucketBy(({ operation }) => (operation === 'listInventory' ? '' : (operation ?? ''))),
  ),
  'pet-opens-bucket': fault('Each pet that is patched has a quota of its own.', 'QUOTA-6').by(
    opensBucketBy(({ request, operation }) => (operation === 'updateInventory' ? (request.url ?? '') : '')),
  ),
}
