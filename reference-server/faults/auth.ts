import { badRequest, notFound } from '@hapi/boom'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import {
  type AnyDeparture,
  answering,
  type Call,
  entryOf,
  finishing,
  type PetstoreBehaviour,
  type PetstoreSurroundings,
} from '../behaviour.js'
import { withHeaders, withoutHeaders } from '../http/answer.js'
import type { RequestHead } from '../http/bearer-keys.js'
import { fault, faultsOf } from './fault.js'

/** Accepts what `tokenIn` finds in a request as its key, if the request has no valid key in the right form. */
const alsoKey =
  (tokenIn: (request: RequestHead, keys: readonly string[]) => string | undefined) =>
  (before: PetstoreBehaviour, { secrets }: PetstoreSurroundings): Partial<PetstoreBehaviour> => ({
    credentialOf(request) {
      const credential = before.credentialOf(request)
      if (before.accountOf(credential)) return credential
      const token = tokenIn(request, secrets)
      return token === undefined ? credential : { kind: 'token', token }
    },
  })

/** Accepts one of some values as the key, if the request has no Authorization. */
const alsoKeyElsewhere = (valuesIn: (request: RequestHead) => readonly string[]) =>
  alsoKey((request, secrets) =>
    request.headers.authorization === undefined
      ? secrets.find((secret) => valuesIn(request).includes(secret))
      : undefined,
  )

const authorizationOf = (request: RequestHead) => request.headers.authorization ?? ''

const bearerToken = (request: RequestHead) => /^bearer +(\S+)$/i.exec(authorizationOf(request))?.[1] ?? ''

const base64 = (text: string) => Buffer.from(text, 'base64').toString().split(':')

/** Lets `judged` answer an operation even without a valid key. */
const judgedBeforeKey =
  (judged: (call: Call, self: PetstoreBehaviour) => void, operation: OperationId = 'updateInventory') =>
  (before: PetstoreBehaviour, surroundings: PetstoreSurroundings): Partial<PetstoreBehaviour> => ({
    letsIn: (call) => before.letsIn(call) || call.operation === operation,
    ...answering((call, asBefore, self) => {
      if (before.letsIn(call)) return asBefore()
      judged(call, self)
      throw self.unauthorized(call.credential)
    }, operation)(before, surroundings),
  })

const findsPet = (call: Call, self: PetstoreBehaviour): void => {
  if (!entryOf(call, self)) throw notFound('no entry has this petId')
}

/** Accepts a key in any letter case, wherever the request sends it. */
export const ignoresKeyCase: AnyDeparture = (before, { secrets }) => {
  const asIssued = (text: string) =>
    secrets.reduce((all, secret) => {
      const at = all.toLowerCase().indexOf(secret.toLowerCase())
      return at < 0 ? all : all.slice(0, at) + secret + all.slice(at + secret.length)
    }, text)
  return {
    credentialOf({ method, url, headers, rawHeaders, socket }) {
      const written = Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? asIssued(value) : value,
      ])
      return before.credentialOf({
        method,
        url: url && asIssued(url),
        headers: Object.fromEntries(written),
        rawHeaders,
        socket,
      })
    },
  }
}

export const authFaults = faultsOf('AUTH', {
  // A key in the query or in a cookie would make it look like AUTH-9.
  'missing-key-accepted': fault('GET /inventory is served without a key.', 'AUTH-1').by((before) => ({
    letsIn: (call) =>
      before.letsIn(call) ||
      (call.operation === 'listInventory' &&
        call.credential.kind === 'none' &&
        call.request.headers.cookie === undefined &&
        !call.request.url?.includes('?')),
  })),
  // Only GET, because a PATCH would have its body judged first (AUTH-5); no shortened or extended key, which is AUTH-4.
  'bad-key-accepted': fault('A GET with an unknown key is served.', 'AUTH-2').by((before, { keys }) => ({
    letsIn(call) {
      const { credential, operation } = call
      if (before.letsIn(call) || credential.kind !== 'token') return before.letsIn(call)
      const { token } = credential
      const related = keys.some(({ secret }) => secret.startsWith(token) || token.startsWith(secret))
      return !related && operation !== undefined && operation !== 'updateInventory'
    },
  })),
  'key-last-character-ignored': fault('The last character of a key is not compared.', 'AUTH-2').by(
    alsoKey((request, secrets) => {
      const token = bearerToken(request)
      return secrets.find((secret) => secret.length === token.length && token.startsWith(secret.slice(0, -1)))
    }),
  ),
  'key-middle-ignored': fault('Only the length and both ends of a key are compared.', 'AUTH-2').by(
    alsoKey((request, secrets) => {
      const token = bearerToken(request)
      const ends = (key: string) => `${key.slice(0, 3)} ${key.length} ${key.slice(-3)}`
      return secrets.find((secret) => ends(secret) === ends(token))
    }),
  ),
  'key-case-ignored': fault('Keys are compared without regard to upper and lower case.', 'AUTH-2').by(ignoresKeyCase),
  'valid-key-refused': fault('GET /store/orders answers 401 to a valid key.', 'AUTH-3').by((before) => ({
    letsIn: (call) => before.letsIn(call) && call.operation !== 'listOrders',
  })),
  'key-prefix-accepted': fault('The beginning of a valid key is accepted.', 'AUTH-4').by(
    alsoKey((request, secrets) => {
      const token = bearerToken(request)
      return token === '' ? undefined : secrets.find((secret) => secret.startsWith(token))
    }),
  ),
  'key-end-accepted': fault('The end of a valid key is accepted.', 'AUTH-2').by(
    alsoKey((request, secrets) => {
      const token = bearerToken(request)
      return token === '' ? undefined : secrets.find((secret) => secret.endsWith(token))
    }),
  ),
  'property-name-accepted': fault(
    'A key that names a property of every object, such as constructor, is accepted.',
    'AUTH-2',
  ).by(alsoKey((request, [secret]) => (bearerToken(request) in {} ? secret : undefined))),
  'key-extension-accepted': fault('A valid key with more text after it is accepted.', 'AUTH-4').by(
    alsoKey((request, secrets) => secrets.find((secret) => bearerToken(request).startsWith(secret))),
  ),
  'bare-key-accepted': fault('A key without a scheme before it is accepted.', 'AUTH-4').by(
    alsoKey((request, secrets) => secrets.find((secret) => authorizationOf(request) === secret)),
  ),
  'basic-accepted': fault('A key is accepted in the Basic scheme, plain or encoded.', 'AUTH-4').by(
    alsoKey((request, secrets) => {
      const shown = /^basic +(\S+)$/i.exec(authorizationOf(request))?.[1] ?? ''
      return secrets.find((secret) => shown === secret || base64(shown).includes(secret))
    }),
  ),
  'another-scheme-accepted': fault('A key is accepted after any word but Basic.', 'AUTH-4').by(
    alsoKey((request) => /^(?!basic |bearer )\S+ +(\S+)$/i.exec(authorizationOf(request))?.[1]),
  ),
  'blank-behind-bearer-not-needed': fault('A key is accepted right behind Bearer, without a blank.', 'AUTH-4').by(
    alsoKey((request) => /^bearer(\S+)$/i.exec(authorizationOf(request))?.[1]),
  ),
  'empty-bearer-accepted': fault('Bearer with nothing after it is accepted as the first key.', 'AUTH-4').by(
    alsoKey((request, [first]) => (/^bearer *$/i.test(authorizationOf(request)) ? first : undefined)),
  ),
  'body-judged-before-key': fault('A PATCH with a broken body and no valid key gets 400.', 'AUTH-5').by(
    judgedBeforeKey(({ body, request }, self) => {
      if (body && body.length > 0) self.quantityIn(body, request.headers['content-type'])
    }),
  ),
  'absent-body-judged-before-key': fault('A PATCH without a body and without a valid key gets 400.', 'AUTH-5').by(
    judgedBeforeKey(({ body }) => {
      if (!body || body.length === 0) throw badRequest('the body is missing')
    }),
  ),
  'pet-judged-before-key': fault('A PATCH of an unknown pet without a key gets 404.', 'AUTH-5').by(
    judgedBeforeKey(findsPet),
  ),
  'shown-pet-judged-before-key': fault('GET /pets/{petId} of an unknown pet gets 404 without a key.', 'AUTH-5').by(
    judgedBeforeKey(findsPet, 'getPet'),
  ),
  'unauthorized-patch-applied': fault('A PATCH without a valid key gets 401, but changes the entry.', 'AUTH-6').by(
    judgedBeforeKey(({ petId, body, request }, self) => {
      try {
        self.inventory.setQuantity(self.petIdOf(petId ?? ''), self.quantityIn(body, request.headers['content-type']))
      } catch {
        // Other errors than the key's must not show (AUTH-5).
      }
    }),
  ),
  'scheme-case-sensitive': fault('The scheme has to be exactly Bearer.', 'AUTH-7').by((before) => ({
    credentialOf: (request) =>
      /^bearer /i.test(authorizationOf(request)) && !authorizationOf(request).startsWith('Bearer ')
        ? { kind: 'malformed' }
        : before.credentialOf(request),
  })),
  'challenge-missing': fault('A 401 has no WWW-Authenticate.', 'AUTH-8').by(
    finishing(401, (answer) => withoutHeaders(answer, 'WWW-Authenticate')),
  ),
  'challenge-of-another-scheme': fault('A 401 asks for Basic credentials.', 'AUTH-8').by(
    finishing(401, (answer) => withHeaders(answer, { 'WWW-Authenticate': 'Basic realm="petstore"' })),
  ),
  'key-in-query-accepted': fault('A key that comes only in the query is accepted.', 'AUTH-9').by(
    alsoKeyElsewhere(({ url = '/' }) => [...new URL(url, 'http://localhost').searchParams.values()]),
  ),
  'key-in-cookie-accepted': fault('A key that comes only in a cookie is accepted.', 'AUTH-9').by(
    alsoKeyElsewhere(({ headers: { cookie = '' } }) =>
      cookie.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1)),
    ),
  ),
})
