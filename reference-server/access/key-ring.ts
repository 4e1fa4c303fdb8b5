import { hash, randomBytes } from 'node:crypto'
import type { PlanName } from '../../src/contract/plans.js'

/** An API key as it is handed to the server. */
export interface IssuedKey {
  readonly plan: PlanName
  readonly secret: string
}

/** Who a valid key belongs to. The id is no secret: of a contract it is the name of the credential. */
export interface Account {
  readonly id: string
  /** The Petstore's alone. */
  readonly plan?: PlanName
}

/** The account of a token; undefined where no key is exactly that token. */
export type KeyRing = (token: string) => Account | undefined

/**
 * Names each key after its plan, and numbers those of a plan in an order that has nothing to do with how they are given:
 * servers that count together name the same keys alike. It tells nothing of the secrets.
 */
const accountIds = (keys: readonly IssuedKey[]): readonly string[] => {
  const ranks = keys.map(({ secret }) => hash('sha256', secret, 'hex'))
  return keys.map(({ plan }, index) => {
    const before = keys.filter((other, at) => other.plan === plan && ranks[at] < ranks[index])
    return `${plan}-${before.length + 1}`
  })
}

/**
 * Keeps a salted SHA-256 of each key, not the key. Nobody outside can foresee the hashes that are compared, so the time
 * of a comparison does not show how much of a key was right.
 */
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
