import type { QuotaSpec } from '../../src/contract/api-contract.js'
import { type AnyDeparture, type Arrival, chargingOthers, type Surroundings } from '../behaviour.js'
import { ignoresKeyCase } from './auth.js'
import { fault } from './fault.js'

type Mark = (arrival: Arrival, around: Surroundings) => string

/** Gives each mark of a request a count of its own in the quotas that it concerns; none if it is empty. */
export const countsApartBy =
  (mark: Mark, concerns: (quota: QuotaSpec) => boolean = () => true): AnyDeparture =>
  (before, around) => {
    const concerned = new Set(around.contract.quotas.filter(concerns).map(({ id }) => id))
    return {
      chargesOf: chargingOthers(before, (subject, arrival) => {
        const own = arrival.account && subject.windows.some(({ name }) => concerned.has(name)) && mark(arrival, around)
        return own ? { ...subject, id: `${subject.id} ${own}` } : subject
      }),
    }
  }

const apartByHeader = (name: string, what = name) =>
  apart(what, ({ request }) => String(request.headers[name.toLowerCase()] ?? ''))

export const apart = (what: string, spelling: Mark) =>
  fault(`Each ${what} has a quota of its own.`, 'QUOTA-6').by(countsApartBy(spelling))

/** Departures from QUOTA-6: the spelling of a request gives it its own quota. */
export const bucketFaults = {
  'scheme-case-opens-bucket': apart(
    'spelling of the scheme',
    ({ request }) => request.headers.authorization?.slice(0, 6).replace('Bearer', '') ?? '',
  ),
  // A key in another case is a different key, which nobody was given.
  'key-case-opens-bucket': fault('A key is accepted in any case, with a quota for each case.', 'AUTH-2', 'QUOTA-6').by(
    ignoresKeyCase,
    countsApartBy(({ request }) => request.headers.authorization?.split(/\s+/)[1] ?? ''),
  ),
  'api-key-header-opens-bucket': apartByHeader('X-Api-Key', 'X-Api-Key beside Authorization'),
  'cookie-opens-bucket': apartByHeader('cookie'),
  'proxy-header-opens-bucket': apartByHeader('CF-Connecting-IP'),
  'forwarded-for-opens-bucket': apartByHeader('X-Forwarded-For'),
  'accept-opens-bucket': apartByHeader('Accept'),
  'encoding-opens-bucket': apartByHeader('Accept-Encoding'),
  'method-override-opens-bucket': apartByHeader('X-HTTP-Method-Override'),
  'query-opens-bucket': apart('query string', ({ request }) => request.url?.split('?')[1] ?? ''),
  'path-spelling-opens-bucket': apart('way to percent-encode a path', ({ request: { url = '' } }) =>
    url.includes('%') ? url : '',
  ),
  'operation-opens-bucket': apart('operation', ({ operation = '' }) =>
    operation === 'listInventory' ? '' : operation,
  ),
  'long-body-opens-bucket': apart('body of over a thousand bytes', ({ request }) =>
    Number(request.headers['content-length'] ?? 0) > 1_000 ? 'long' : '',
  ),
  'pet-opens-bucket': apart('pet that is patched', ({ request, operation }) =>
    operation === 'updateInventory' ? (request.url ?? '') : '',
  ),
}
