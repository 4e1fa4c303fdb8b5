import type { CredentialSpec } from '../../contract/api-contract.js'
import { type CredentialForm, keyLabel } from '../../evidence/credential-forms.js'
import type { HeaderLine } from '../../evidence/exchange.js'
import type { Redactor } from '../../evidence/redaction.js'
import type { Random } from '../../kit/random.js'

/** Probes name a credential and never see a key; only here does it become bytes. */
export type Credential = { readonly form: 'none' } | { readonly form: CredentialForm; readonly key: string }

/** A path with more in its query; as it is without. */
export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`

export interface RenderedCredential {
  readonly headers: readonly HeaderLine[]
  readonly query: string
}

/** How a key is sent if no contract file says. */
const petstoreKey: CredentialSpec = { scheme: 'bearer' }

/** How the record shows a key that nobody owns. */
const unknownLabel = '‹unknown key›'

const nothing: RenderedCredential = { headers: [], query: '' }
const header = (name: string, value: string): RenderedCredential => ({ headers: [[name, value]], query: '' })
const authorization = (value: string): RenderedCredential => header('Authorization', value)
const query = (name: string, value: string): RenderedCredential => ({
  headers: [],
  query: `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
})

/** After this many tries that gave known keys, the random key is made longer. */
const triesAsIs = 20

/** A similar key that nobody owns: for `free-A1b2` perhaps `qxzw-K7m3`. */
const unknownKeyLike = (secret: string, known: ReadonlySet<string>, random: Random): string => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const change = (character: string): string => {
    if (/\d/.test(character)) return String(random.int(0, 9))
    if (/[a-z]/.test(character)) return letters[random.int(0, 25)]
    if (/[A-Z]/.test(character)) return letters[random.int(0, 25)].toUpperCase()
    return character
  }
  for (let tries = 1; ; tries += 1) {
    // A secret without letters and digits has no similar one.
    const more = tries > triesAsIs ? String(random.int(10, 999_999)) : ''
    const made = `${[...secret].map(change).join('')}${more}`
    if (!known.has(made)) return made
  }
}

/** A number at the end of a key that may count keys: up to three digits after another character. */
const countingNumber = /(?<=\D)\d{1,3}$/

/** How many characters to cut off so that the rest is no key: for `key-10` both digits, since there may be a `key-1`. */
const cutOff = (secret: string, known: ReadonlySet<string>): number => {
  let characters = countingNumber.exec(secret)?.[0].length ?? 1
  while (known.has(secret.slice(0, -characters))) characters += 1
  return characters
}

/**
 * A different character at a place, so that the result is no key. A digit becomes a letter, since keys may be numbered; if the
 * key ends in base64, the character's first two bits change, since the others may not be part of the key.
 */
const otherAt = (secret: string, at: number, known: ReadonlySet<string>): string => {
  const others = /[w-z\d_-]/.test(secret[at]) ? 'FEDCBA' : '789'
  return [...others].find((each) => !known.has(withAt(secret, at, each))) ?? '~'
}

const withAt = (secret: string, at: number, to: string): string => `${secret.slice(0, at)}${to}${secret.slice(at + 1)}`

/**
 * A key with the case of each letter swapped; extended if that is a key too. In a Basic pair only the user name changes: with
 * another password, the request would be a failed login of somebody who might be locked out for it.
 */
const inOtherCase = (secret: string, known: ReadonlySet<string>, isPair: boolean): string => {
  const letters = isPair ? /(?<!:.*)[a-z]/gi : /[a-z]/gi
  const swapped = secret.replace(letters, (each) => (each < 'a' ? each.toLowerCase() : each.toUpperCase()))
  return known.has(swapped) ? extended(swapped, known) : swapped
}

const extended = (secret: string, known: ReadonlySet<string>): string => {
  let longer = `${secret}x`
  while (known.has(longer)) longer += 'x'
  return longer
}

/**
 * Turns credentials into headers, and gives the redactor every secret, and part of one, that is sent.
 *
 * @param agreed how each credential of a contract file is sent.
 */
export const createCredentials = (
  secrets: ReadonlyMap<string, string>,
  redactor: Redactor,
  random: Random,
  agreed: Readonly<Record<string, CredentialSpec>> = {},
) => {
  for (const [name, secret] of secrets) redactor.hide(secret, keyLabel({ name, form: 'whole' }))
  const known = new Set(secrets.values())
  const unknown = new Map<string, string>()

  const hidden = (value: string, label: string): string => {
    redactor.hide(value, label)
    return value
  }

  const unknownFor = (name: string, secret: string): string => {
    const made = unknown.get(name) ?? hidden(unknownKeyLike(secret, known, random), unknownLabel)
    unknown.set(name, made)
    return made
  }

  const basic = (pair: string, label: string): RenderedCredential =>
    authorization(`Basic ${hidden(Buffer.from(pair).toString('base64'), label)}`)

  /**
   * A credential as its contract sends it, or as the Petstore does if none is agreed; `user:password` for Basic
   * authentication.
   * @param secret what is sent in place of the key, and how the record labels the pair made from it.
   */
  const asAgreed = (
    name: string,
    secret = secrets.get(name) ?? '',
    pairLabel = keyLabel({ name, form: 'basic-pair' }),
  ): RenderedCredential => {
    const { scheme, name: place = '' } = Object.hasOwn(agreed, name) ? agreed[name] : petstoreKey
    switch (scheme) {
      case 'none':
        return nothing
      case 'bearer':
        return authorization(`Bearer ${secret}`)
      case 'basic':
        return basic(secret, pairLabel)
      case 'header':
        return header(place, secret)
      case 'query':
        return query(place, secret)
      case 'cookie':
        return header('Cookie', `${place}=${secret}`)
    }
  }

  const inSchemeCase = (name: string, as: (scheme: string) => string): RenderedCredential => {
    const { headers, query } = asAgreed(name)
    return {
      headers: headers.map(([field, value]) => [field, value.replace(/^(Bearer|Basic)(?= )/, as)]),
      query,
    }
  }

  /** A key without its last characters, hidden as such; if the rest is a key too, it is hidden as that one. */
  const part = (key: string, name: string, cut: number): string => {
    const begun = key.slice(0, -cut)
    return known.has(begun) ? begun : hidden(begun, keyLabel({ name, form: { cutOff: cut } }))
  }

  /** A key without its first characters, so that no key is left, hidden as such. */
  const end = (key: string, name: string): string => {
    let cut = 1
    while (known.has(key.slice(cut))) cut += 1
    return hidden(key.slice(cut), keyLabel({ name, form: { cutOff: cut, at: 'front' } }))
  }

  const forms: Readonly<Record<CredentialForm, (key: string, name: string) => RenderedCredential>> = {
    agreed: (_, name) => asAgreed(name),
    bearer: (key) => authorization(`Bearer ${key}`),
    'lower-case-scheme': (_, name) => inSchemeCase(name, (scheme) => scheme.toLowerCase()),
    'upper-case-scheme': (_, name) => inSchemeCase(name, (scheme) => scheme.toUpperCase()),
    'empty-bearer': () => authorization('Bearer '),
    basic: (key, name) => basic(`${key}:`, keyLabel({ name, form: 'basic-pair' })),
    'basic-scheme-with-key': (key) => authorization(`Basic ${key}`),
    'another-scheme': (key) => authorization(`Token ${key}`),
    'bearer-twice': (key) => authorization(`Bearer Bearer ${key}`),
    'no-blank': (key) => authorization(`Bearer${key}`),
    'bare-key': authorization,
    'key-cut-by-one': (key, name) => authorization(`Bearer ${part(key, name, cutOff(key, known))}`),
    'key-cut-at-front': (key, name) => authorization(`Bearer ${end(key, name)}`),
    'key-last-changed': (key, name) =>
      authorization(`Bearer ${part(key, name, 1)}${otherAt(key, key.length - 1, known)}`),
    'key-middle-changed': (key, name) => {
      const at = Math.floor(key.length / 2)
      const to = otherAt(key, at, known)
      const label = keyLabel({ name, form: { place: at + 1, to } })
      return authorization(`Bearer ${hidden(withAt(key, at, to), label)}`)
    },
    'null-as-key': () => authorization('Bearer null'),
    // Whoever looks keys up as properties of an object finds this one.
    'property-as-key': () => authorization('Bearer constructor'),
    'key-extended': (key) => authorization(`Bearer ${extended(key, known)}`),
    'key-in-other-case': (key, name) => {
      const other = inOtherCase(key, known, agreed[name]?.scheme === 'basic')
      const label = keyLabel({ name, form: 'other-case' })
      return asAgreed(name, hidden(other, label), keyLabel({ name, form: 'other-case-pair' }))
    },
    'key-and-more': (key) => authorization(`Bearer ${key} more`),
    'key-and-comma': (key) => authorization(`Bearer ${key},more`),
    'trailing-blanks': (key) => authorization(`Bearer ${key}  `),
    'tab-after-scheme': (key) => authorization(`Bearer\t${key}`),
    'blanks-after-scheme': (key) => authorization(`Bearer   ${key}`),
    'key-percent-encoded': (key, name) => {
      const encoded = Buffer.from(key).toString('hex').replace(/../g, '%$&')
      return authorization(`Bearer ${hidden(encoded, keyLabel({ name, form: 'percent-encoded' }))}`)
    },
    'two-headers': (key, name) => {
      const [other, own] = [unknownFor(name, key), key].map((each) => authorization(`Bearer ${each}`).headers[0])
      return { headers: [other, own], query: '' }
    },
    'unknown-key': (key, name) => asAgreed(name, unknownFor(name, key), unknownLabel),
    cookie: (key) => header('Cookie', `api_key=${encodeURIComponent(key)}; access_token=${encodeURIComponent(key)}`),
    'query-access-token': (key) => query('access_token', key),
    'query-api-key': (key) => query('api_key', key),
    'api-key-header': (key) => header('X-API-Key', key),
  }

  const render = (credential: Credential): RenderedCredential => {
    if (credential.form === 'none') return nothing
    const { key: name, form } = credential as Exclude<Credential, { form: 'none' }>
    const key = secrets.get(name)
    if (key === undefined && form !== 'agreed') throw new Error(`no key is named ${name}`)
    return forms[form](key ?? '', name)
  }
  return { render }
}
