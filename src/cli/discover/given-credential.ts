import type { CredentialSpec } from '../../contract/api-contract.js'
import { canHide } from '../../evidence/redaction/redaction.js'
import { UsageError } from '../../kit/usage-error.js'

/** A credential that was typed as a header: how a contract has it, and its secret. */
export interface GivenCredential {
  readonly spec: CredentialSpec
  readonly secret: string
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** The name of the environment variable that a contract file says the secret is in: `ACME_KEY` for api.acme.com. */
const variableFor = (target: string): string => {
  const parts = new URL(target).hostname.split('.')
  const part = parts.find((each) => /^[a-z][a-z0-9-]*$/i.test(each) && !/^(api|www|localhost)$/i.test(each)) ?? 'api'
  return `${part.toUpperCase().replaceAll('-', '_').slice(0, 40)}_KEY`
}

/** The user name and password of Basic authentication; undefined where that is none (RFC 7617 §2). */
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

/** Reads `Authorization: Bearer …` and its like. Throws a {@link UsageError} that never repeats what may be the secret. */
export const givenCredential = (text: string, target: string): GivenCredential => {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon)).trim()
  const value = text.slice(colon + 1).trim()
  if (colon < 1 || !token.test(name) || value === '') {
    throw new UsageError("--header takes a name and a value: for example --header 'Authorization: Bearer YOUR-KEY'")
  }
  const { secret, ...shown } = told(name, value)
  if (!/^[\x20-\x7e]+$/.test(secret)) {
    throw new UsageError(`--header ${name}: it holds a control or a non-ASCII character, which no header can carry`)
  }
  if (!canHide(secret)) {
    throw new UsageError(`--header ${name}: a secret of so few characters could not be kept out of the file`)
  }
  return { spec: { ...shown, env: variableFor(target) }, secret }
}
