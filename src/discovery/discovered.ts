import type { ApiContract, CredentialSpec, HeaderField, QuotaSpec, RefusalRule } from '../contract/api-contract.js'
import type { PresetName } from '../contract/header-presets.js'

/** A conclusion, and in words what it was drawn from. */
export interface Concluded<T> {
  readonly is: T
  readonly because: string
}

/** A field that answers show, and how it was understood. */
export interface DiscoveredField {
  readonly field: HeaderField
  readonly because: string
}

/** A quota as far as answers show it; what is undefined they do not. */
export interface DiscoveredQuota {
  readonly id: string
  readonly by: Concluded<QuotaSpec['by']>
  readonly limit: Concluded<Readonly<Record<string, number>>> | undefined
  readonly windowMs: Concluded<number> | undefined
  readonly requests: Concluded<readonly string[]>
  /** Of requests that do not cost one. */
  readonly cost: Concluded<Readonly<Record<string, number>>> | undefined
  readonly policy: Concluded<string> | undefined
}

/** What was asked to discover an API. */
export interface Asked {
  readonly target: string
  /** How each credential is shown, by its name in the file. */
  readonly credentials: Readonly<Record<string, CredentialSpec>>
  /** What was asked for, by the names that the file gives them, with the status of the first answer. */
  readonly requests: Readonly<Record<string, { readonly path: string; readonly status: number | null }>>
  /** How many requests that took. */
  readonly asked: number
}

/** What a few gentle requests showed of an API: enough for a first contract file, with what it rests on. */
export interface Discovered {
  /** The preset whose fields are just these; undefined where none is. */
  readonly preset: PresetName | undefined
  readonly fields: readonly DiscoveredField[]
  readonly retryAfter: Concluded<ApiContract['retryAfter']>
  readonly refusals: Concluded<readonly RefusalRule[]>
  /** Whether the API answers without a credential; undefined where that was not asked. */
  readonly anonymous: Concluded<'served' | 'turned away'> | undefined
  readonly quotas: readonly DiscoveredQuota[]
  /** What could not be found out, a sentence each. */
  readonly unknown: readonly string[]
}

/** Who has a limit in the file: its credentials, or callers without one. */
export const callersOf = ({ credentials }: Asked): readonly string[] => {
  const names = Object.keys(credentials)
  return names.length > 0 ? names : ['anon']
}

/** Puts what the user knows from the API's documentation where no answer shows it: what is shown goes before. */
export const withGiven = (
  { limit, windowMs }: { readonly limit?: number; readonly windowMs?: number },
  found: Discovered,
  credentials: readonly string[],
): Discovered => {
  const given = <T>(is: T) => ({ is, because: 'as given; no answer shows it' })
  const limits = limit && given(Object.fromEntries(credentials.map((name) => [name, limit])))
  const quotas = found.quotas.map((quota) => ({
    ...quota,
    limit: quota.limit ?? (limits || undefined),
    windowMs: quota.windowMs ?? (windowMs === undefined ? undefined : given(windowMs)),
  }))
  return { ...found, quotas }
}
