import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PlanName } from '../../src/contract/plans.js'

/** The parts of a request's head that are read. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'socket'>

/** What a request sends as its key: one bearer token, nothing, or something else. */
export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }

const none: Credential = { kind: 'none' }
const malformed: Credential = { kind: 'malformed' }

/** Reads `Authorization: Bearer KEY` (§5.2, RFC 9110 §11.4). Two such headers are malformed. */
export const bearerCredential = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): Credential => {
  const { authorization } = request.headers
  if (authorization === undefined) return none
  if (isRepeated('authorization', request)) return malformed
  const match = /^bearer +([^\s,]+)$/i.exec(authorization)
  return match ? { kind: 'token', token: match[1] } : malformed
}

/**
 * Whether a header, named in lower case, is repeated. Node keeps only the first Authorization, so the key would be a guess;
 * and its parser allows two hosts, of which a proxy may read the other one.
 */
export const isRepeated = (header: string, { rawHeaders }: Pick<RequestHead, 'rawHeaders'>): boolean => {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name.length === header.length && name.toLowerCase() === header) seen += 1
  }
  return seen > 1
}

/** Remembers each connection's last credential: comparing it with itself reveals no other key. */
export const keptCredential = (): ((request: RequestHead) => Credential) => {
  const kept = new WeakMap<RequestHead['socket'], { readonly authorization: string; readonly credential: Credential }>()
  return (request) => {
    const { authorization } = request.headers
    if (authorization === undefined || isRepeated('authorization', request)) return bearerCredential(request)
    const last = kept.get(request.socket)
    if (last?.authorization === authorization) return last.credential
    const credential = bearerCredential(request)
    kept.set(request.socket, { authorization, credential })
    return credential
  }
}

/** Finds the owner of a credential. A valid one is looked up once per connection, an invalid one each time. */
export const accountOfKept = (ring: KeyRing): ((credential: Credential) => Account | undefined) => {
  const found = new WeakMap<Credential, Account>()
  return (credential) => {
    if (credential.kind !== 'token') return undefined
    const known = found.get(credential)
    if (known) return known
    const account = ring(credential.token)
    if (account) found.set(credential, account)
    return account
  }
}

/** An API key that the server is given. */
export interface IssuedKey {
  readonly plan: PlanName
  readonly secret: string
}

/** The owner of a valid key. The id is not secret: for a contract it is the credential's name. */
export interface Account {
  readonly id: string
  /** Only for the Petstore. */
  readonly plan?: PlanName
}

/** The account of a token; undefined if no key is exactly that token. */
type KeyRing = (token: string) => Account | undefined

/** Names keys by plan, numbered in the order of their hashes, so servers that count together use the same names. */
const accountIds = (keys: readonly IssuedKey[]): readonly string[] => {
  const ranks = keys.map(({ secret }) => hash('sha256', secret, 'hex'))
  return keys.map(({ plan }, index) => {
    const before = keys.filter((other, at) => other.plan === plan && ranks[at] < ranks[index])
    return `${plan}-${before.length + 1}`
  })
}

/** Keeps a salted SHA-256 of each key: nobody can predict it, so the time of a comparison reveals nothing. */
export const keyRing = (keys: readonly IssuedKey[]): KeyRing => {
  const salt = randomBytes(32).toString('hex')
  const digest = (text: string) => hash('sha256', salt + text, 'base64')
  const ids = accountIds(keys)
  const accounts = new Map<string, Account>()
  keys.forEach(({ plan, secret }, index) => {
    if (!/^[^\s,]+$/.test(secret))
      throw new Error(`key ${index + 1} (${plan}) is empty or has white space or a comma in it`)
    const name = digest(secret)
    if (accounts.has(name)) throw new Error(`key ${index + 1} (${plan}) is the same as an earlier one`)
    accounts.set(name, { id: ids[index], plan })
  })
  return (token) => accounts.get(digest(token))
}
