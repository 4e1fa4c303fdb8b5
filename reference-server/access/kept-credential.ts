import type { RequestHead } from '../behaviour.js'
import { bearerCredential, type Credential, isRepeated } from './credential.js'
import type { Account, KeyRing } from './key-ring.js'

interface Kept {
  readonly authorization: string
  readonly credential: Credential
}

/**
 * Keeps what each connection showed last, for as long as it is open: most show the same header with every request, and
 * get the same object. A connection is compared with itself alone, so the time that this saves tells nobody of a key.
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

/** Whose credential it is. One that was kept is looked up once; one that is nobody's, each time. */
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
