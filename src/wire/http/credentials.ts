import type { CredentialSpec } from '../../contract/api-contract.js'
import { type CredentialForm, keyLabel } from '../../evidence/credential-forms.js'
import type { HeaderLine } from '../../evidence/exchange.js'
import type { Redactor } from '../../evidence/redaction.js'
import type { Random } from '../../kit/random.js'

/** Probes name a credential and never see a key; here, and only here, it becomes bytes. */
export type Credential = { readonly form: 'none' } | { readonly form: CredentialForm; readonly key: string }

export interface RenderedCredential {
  readonly headers: readonly HeaderLine[]
  /** To be added to the request's query; empty for none. */
  readonly query: string
}

const authorization = (value: string): RenderedCredential => ({ headers: [['Authorization', value]], query: '' })

/** Tries after which a random key that is still a known one is made longer. */
const triesAsIs = 20

/** A key like this one that nobody was given: for `free-A1b2` perhaps `qxzw-K7m3`. */
const unknownKeyLike = (secret: string, known: ReadonlySet<string>, random: Random): string => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const change = (character: string): string => {
    if (/\d/.test(character)) return String(random.int(0, 9))
    if (/[a-z]/.test(character)) return letters[random.int(0, 25)]
    if (/[A-Z]/.test(character)) return letters[random.int(0, 25)].toUpperCase()
    return character
  }
  for (let tries = 1; ; tries += 1) {
    // There is no other like a secret without letters and digits.
    const more = tries > triesAsIs ? String(random.int(10, 999_999)) : ''
    const made = `${[...secret].map(change).join('')}${more}`
    if (!known.has(made)) return made
  }
}

/** A number at the end of a key that may count keys: up to three digits after another character. */
const countingNumber = /(?<=\D)\d{1,3}$/

/** How many characters to cut off a key so that no key is left: of `key-10` both digits, for there may be a `key-1`. */
const cutOff = (secret: string, known: ReadonlySet<string>): number => {
  let characters = countingNumber.exec(secret)?.[0].length ?? 1
  while (known.has(secret.slice(0, -characters))) characters += 1
  return characters
}

/** A key with each letter in its other case; extended, where that is a key too. */
const inOtherCase = (secret: string, known: ReadonlySet<string>): string => {
  const swapped = secret.replace(/[a-z]/gi, (each) => (each < 'a' ? each.toLowerCase() : each.toUpperCase()))
  return known.has(swapped) ? extended(swapped, known) : swapped
}

/** A key with characters added, until it is no known key. */
const extended = (secret: string, known: ReadonlySet<string>): string => {
  let longer = `${secret}x`
  while (known.has(longer)) longer += 'x'
  return longer
}

/**
 * Turns credentials into headers, and gives the redactor every secret, and every part of one, that is sent.
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
    const made = unknown.get(name) ?? hidden(unknownKeyLike(secret, known, random), '‹unknown key›')
    unknown.set(name, made)
    return made
  }

  /** A credential as its contract has it; `user:password` for Basic authentication. */
  const asAgreed = (name: string): RenderedCredential => {
    const { scheme, name: place = '' } = agreed[name]
    const secret = secrets.get(name) ?? ''
    switch (scheme) {
      case 'none':
        return { headers: [], query: '' }
      case 'bearer':
        return authorization(`Bearer ${secret}`)
      case 'basic': {
        const pair = hidden(Buffer.from(secret).toString('base64'), keyLabel({ name, form: 'basic-pair' }))
        return authorization(`Basic ${pair}`)
      }
      case 'header':
        return { headers: [[place, secret]], query: '' }
      case 'query':
        return { headers: [], query: `${encodeURIComponent(place)}=${encodeURIComponent(secret)}` }
      case 'cookie':
        return { headers: [['Cookie', `${place}=${secret}`]], query: '' }
    }
  }

  /** The same with the scheme, where it has one, in another letter case. */
  const inSchemeCase = (name: string, as: (scheme: string) => string): RenderedCredential => {
    const { headers, query } = Object.hasOwn(agreed, name) ? asAgreed(name) : render({ form: 'bearer', key: name })
    return {
      headers: headers.map(([field, value]) => [field, value.replace(/^(Bearer|Basic)(?= )/, as)]),
      query,
    }
  }

  const render = (credential: Credential): RenderedCredential => {
    if (credential.form === 'none') return { headers: [], query: '' }
    const { key: name } = credential as { key: string }
    if (credential.form === 'agreed') return asAgreed(name)
    const key = secrets.get(name)
    if (key === undefined) throw new Error(`no key is named ${name}`)
    switch (credential.form) {
      case 'bearer':
        return authorization(`Bearer ${key}`)
      case 'lower-case-scheme':
        return inSchemeCase(name, (scheme) => scheme.toLowerCase())
      case 'upper-case-scheme':
        return inSchemeCase(name, (scheme) => scheme.toUpperCase())
      case 'empty-bearer':
        return authorization('Bearer ')
      case 'basic': {
        const pair = hidden(Buffer.from(`${key}:`).toString('base64'), keyLabel({ name, form: 'basic-pair' }))
        return authorization(`Basic ${pair}`)
      }
      case 'basic-scheme-with-key':
        return authorization(`Basic ${key}`)
      case 'bare-key':
        return authorization(key)
      case 'key-cut-by-one': {
        const cut = cutOff(key, known)
        const label = keyLabel({ name, form: { cutOff: cut } })
        return authorization(`Bearer ${hidden(key.slice(0, -cut), label)}`)
      }
      case 'key-extended':
        return authorization(`Bearer ${extended(key, known)}`)
      case 'key-in-other-case': {
        const swapped = hidden(inOtherCase(key, known), keyLabel({ name, form: 'other-case' }))
        return authorization(`Bearer ${swapped}`)
      }
      case 'key-and-more':
        return authorization(`Bearer ${key} more`)
      case 'trailing-blanks':
        return authorization(`Bearer ${key}  `)
      case 'tab-after-scheme':
        return authorization(`Bearer\t${key}`)
      case 'two-headers':
        return {
          headers: [
            ['Authorization', `Bearer ${unknownFor(name, key)}`],
            ['Authorization', `Bearer ${key}`],
          ],
          query: '',
        }
      case 'unknown-key':
        return authorization(`Bearer ${unknownFor(name, key)}`)
      case 'cookie':
        return {
          headers: [['Cookie', `api_key=${encodeURIComponent(key)}; access_token=${encodeURIComponent(key)}`]],
          query: '',
        }
      case 'query-access-token':
        return { headers: [], query: `access_token=${encodeURIComponent(key)}` }
      case 'query-api-key':
        return { headers: [], query: `api_key=${encodeURIComponent(key)}` }
      case 'api-key-header':
        return { headers: [['X-API-Key', key]], query: '' }
    }
  }
  return { render }
}

export type Credentials = ReturnType<typeof createCredentials>
