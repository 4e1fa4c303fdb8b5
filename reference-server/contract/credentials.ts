import { hash, randomBytes } from 'node:crypto'
import type { ApiContract, CredentialSpec } from '../../src/contract/api-contract.js'
import { isRepeated, type RequestHead } from '../http/bearer-keys.js'

/** Who asks: a credential of the contract; undefined where the request shows a wrong one, or none and that is no credential. */
type WhoAsks = (request: RequestHead) => string | undefined

/** Tells credentials apart by what a request shows. Throws where one has no secret, or two have the same. */
export const whoAsks = (
  credentials: ApiContract['credentials'],
  secrets: Readonly<Record<string, string>>,
): WhoAsks => {
  const salt = randomBytes(32).toString('hex')
  const digest = (place: string, secret: string) => hash('sha256', `${salt} ${place} ${secret}`, 'base64')
  const owners = new Map<string, string>()
  const places = new Map<string, CredentialSpec>()
  let anonymous: string | undefined
  for (const [name, spec] of Object.entries(credentials)) {
    if (spec.scheme === 'none') {
      anonymous ??= name
      continue
    }
    const secret = secrets[name]
    if (!secret) throw new Error(`the credential ${name} has no secret`)
    const place = placeOf(spec)
    const known = digest(place, secret)
    if (owners.has(known)) throw new Error(`the credentials ${owners.get(known)} and ${name} have the same secret`)
    owners.set(known, name)
    places.set(place, spec)
  }
  return (request) => {
    const shown = [...places].flatMap(([place, spec]) => {
      const secret = shownSecret(request, spec)
      return secret === undefined ? [] : [owners.get(digest(place, secret))]
    })
    // One that is wrong beside one that is right: which is meant would be a guess.
    if (shown.length === 0) return request.headers.authorization === undefined ? anonymous : undefined
    return shown.every((each) => each === shown[0]) ? shown[0] : undefined
  }
}

/** Where a credential stands; several of one contract may stand in the same place. */
const placeOf = ({ scheme, name = '' }: CredentialSpec) =>
  `${scheme} ${scheme === 'header' ? name.toLowerCase() : name}`

/** What a request shows in the place of that credential: undefined for nothing at all. */
const shownSecret = (request: RequestHead, { scheme, name = '' }: CredentialSpec): string | undefined => {
  switch (scheme) {
    case 'bearer':
      return authorized(request, /^bearer +([^\s,]+)$/i)
    case 'basic': {
      const encoded = authorized(request, /^basic +([A-Za-z0-9+/]+={0,2})$/i)
      return encoded && Buffer.from(encoded, 'base64').toString()
    }
    case 'header':
      return request.headers[name.toLowerCase()]?.toString()
    case 'query':
      return new URLSearchParams(request.url?.split('?')[1]).get(name) ?? undefined
    case 'cookie':
      return cookieNamed(name, request.headers.cookie)
    case 'none':
      return undefined
  }
}

/** What stands behind the scheme, where it is that one; empty where there are two, for which is meant would be a guess. */
const authorized = ({ headers, rawHeaders }: RequestHead, form: RegExp): string | undefined => {
  if (headers.authorization === undefined) return undefined
  return isRepeated(rawHeaders) ? '' : form.exec(headers.authorization)?.[1]
}

const cookieNamed = (name: string, cookies: string | undefined): string | undefined =>
  cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The challenge of a 401 (RFC 9110 §11.6.1). */
export const challengeOf = (credentials: ApiContract['credentials']): string => {
  const schemes = new Set(Object.values(credentials).map(({ scheme }) => scheme))
  const offered = [schemes.has('bearer') && 'Bearer', schemes.has('basic') && 'Basic realm="api"'].filter(Boolean)
  return offered.join(', ') || 'ApiKey'
}
