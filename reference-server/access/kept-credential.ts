import type { RequestHead } from '../behaviour/behaviour.js'
import { bearerCredential, type Credential, isRepeated } from './credential.js'
import type { Account, KeyRing } from './key-ring.js'

interface Kept {
  readonly authorization: string
  readonly credential: Credential
}

/**
 * Remembers the credential that each connection showed last, for most show the same one with every request. A
 * connection is compared with itself only, so the time that this saves reveals no other key.
 */
export const keptCredential = (): ((request: RequestHead) => Credential) => {
  const kept = new WeakMap<RequestHead['socket'], Kept>()
  return (request) => {
    const { authorization } = request.headers
    if (authorization === undefined || isRepeated(request.rawHeaders)) return bearerCredential(request)
    const last = kept.get(request.socket)
    if (last?.authorization === authorization) return last.credential
    const credential = bearerCredential(request)
    kept.set(request.socket, { authorization, credential })
    return credential
  }
}

/** Finds whose credential it is. A valid one is looked up once for a connection, an invalid one each time. */
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
