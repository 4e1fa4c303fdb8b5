import type { CredentialSpec } from '../../contract/api-contract.js'
import { canHide } from '../../evidence/redaction.js'
import { UsageError } from '../../kit/usage-error.js'

/** How a credential is sent, and its secret if known. */
export interface CredentialAnswer {
  readonly spec: CredentialSpec
  readonly secret: string | undefined
}

export type GivenCredential = CredentialAnswer & { readonly secret: string }

/** The names of credentials in the file, in the order given. */
const credentialNames = ['key', 'other']

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** The environment variable that the contract file names for the secret: `ACME_KEY` for api.acme.com. */
const variableFor = (target: string): string => {
  const parts = new URL(target).hostname.split('.')
  const part = parts.find((each) => /^[a-z][a-z0-9-]*$/i.test(each) && !/^(api|www|localhost)$/i.test(each)) ?? 'api'
  return `${part.toUpperCase().replaceAll('-', '_').slice(0, 40)}_KEY`
}

/** The user name and password of Basic authentication; undefined if the text is none (RFC 7617 §2). */
const basicPair = (text: string): string | undefined => {
  const pair = Buffer.from(text, 'base64').toString('utf8')
  return pair.includes(':') && Buffer.from(pair).toString('base64') === text ? pair : undefined
}

const told = (name: string, value: string): { scheme: CredentialSpec['scheme']; name?: string; secret: string } => {
  const [, scheme = '', rest = ''] = /^(\S+) +(\S.*)$/.exec(value) ?? []
  const pair = scheme.toLowerCase() === 'basic' ? basicPair(rest) : undefined
  const isAuthorization = name.toLowerCase() === 'authorization'
  if (isAuthorization && scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', secret: rest }
  if (isAuthorization && pair !== undefined) return { scheme: 'basic', secret: pair }
  const cookie = name.toLowerCase() === 'cookie' ? /^([^\s;,="]{1,100})=([^;]+)$/.exec(value) : null
  if (cookie) return { scheme: 'cookie', name: cookie[1], secret: cookie[2] }
  return { scheme: 'header', name, secret: value }
}

/** Reads headers such as `Authorization: Bearer …`. Throws a {@link UsageError} that never repeats a possible secret. */
export const givenCredential = (text: string, target: string): GivenCredential => {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon)).trim()
  const value = text.slice(colon + 1).trim()
  if (colon < 1 || !token.test(name) || value === '')
    throw new UsageError("--header takes a name and a value: for example --header 'Authorization: Bearer YOUR-KEY'")
  const { secret, ...shown } = told(name, value)
  if (!/^[\x20-\x7e]+$/.test(secret)) {
    throw new UsageError(
      `--header ${name}: it contains a control character or a non-ASCII character, which no header can carry`,
    )
  }
  if (!canHide(secret)) throw new UsageError(`--header ${name}: the secret is too short to be kept out of the file`)
  return { spec: { ...shown, env: variableFor(target) }, secret }
}

/** `$ACME_KEY` or `${ACME_KEY}` at the end of a header: the secret is in that variable. */
const reference = /^(.*?)\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/

const referenceIn = (text: string) => {
  const [, shown = '', braced, plain] = reference.exec(text.trim()) ?? []
  return { shown, env: braced ?? plain }
}

/** Stands in for an unknown secret when only its scheme is needed. */
const standIn = 'user:password'

/** Reads `Authorization: Bearer $ACME_KEY`, or the header with the secret itself. */
const credentialAnswer = (text: string, target: string, environment: NodeJS.ProcessEnv): CredentialAnswer => {
  const { shown, env } = referenceIn(text)
  if (env === undefined) return givenCredential(text, target)
  const secret = environment[env] || undefined
  const held = secret ?? standIn
  const sent = /:\s*basic\s*$/i.test(shown) ? Buffer.from(held).toString('base64') : held
  const given = givenCredential(`${shown}${sent}`, target)
  if (given.secret !== held) {
    throw new UsageError(
      `--header: write Bearer $${env}, or Basic $${env} (with user:password in it); for any other scheme the variable must hold the whole value: 'Authorization: $${env}'`,
    )
  }
  return { spec: { ...given.spec, env }, secret }
}

const isNone = (text: string): boolean => /^none$/i.test(text.trim())

/**
 * The credentials of up to two headers, by their names in the file; none for `none`. Throws a {@link UsageError} that never
 * repeats a possible secret.
 */
export const namedCredentials = (
  texts: readonly string[],
  target: string,
  environment: NodeJS.ProcessEnv,
): ReadonlyMap<string, CredentialAnswer> => {
  if (texts.length > credentialNames.length)
    throw new UsageError(`--header was given ${texts.length} times: at most two credentials can be compared`)
  if (texts.every(isNone)) return new Map()
  if (texts.some(isNone))
    throw new UsageError('--header none means that there is no credential: it cannot be combined with another --header')
  const [one, other] = texts.map((text) => credentialAnswer(text, target, environment))
  if (other === undefined) return new Map([[credentialNames[0], one]])
  const isNamed = referenceIn(texts[1]).env !== undefined
  const second = isNamed ? other : { ...other, spec: { ...other.spec, env: `${one.spec.env}_2` } }
  if (second.spec.env === one.spec.env || (second.secret === one.secret && one.secret !== undefined))
    throw new UsageError('--header: both have the same secret: the second must belong to another user or plan')
  return new Map([one, second].map((each, at) => [credentialNames[at], each]))
}

/** Credentials with their secrets. Throws a {@link UsageError} if a variable is not set. */
export const atHand = (credentials: ReadonlyMap<string, CredentialAnswer>): ReadonlyMap<string, GivenCredential> =>
  new Map(
    [...credentials].map(([name, { spec, secret }]) => {
      if (secret !== undefined) return [name, { spec, secret }]
      throw new UsageError(
        `--header names the variable ${spec.env}, which is not set: export ${spec.env}=YOUR-KEY first`,
      )
    }),
  )
