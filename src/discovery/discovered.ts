import type { ApiContract, CredentialSpec, HeaderField, QuotaSpec, RefusalRule } from '../contract/api-contract.js'
import type { PresetName } from '../contract/header-presets.js'

/** A conclusion, and its evidence in words. */
export interface Concluded<T> {
  readonly is: T
  readonly because: string
}

/** A field of responses, and how it was understood. */
export interface DiscoveredField {
  readonly field: HeaderField
  readonly because: string
}

/** A quota as far as responses show it; the rest is undefined. */
export interface DiscoveredQuota {
  readonly id: string
  readonly by: Concluded<QuotaSpec['by']>
  readonly limit: Concluded<Readonly<Record<string, number>>> | undefined
  readonly windowMs: Concluded<number> | undefined
  readonly requests: Concluded<readonly string[]>
  /** Only for requests whose cost is not 1. */
  readonly cost: Concluded<Readonly<Record<string, number>>> | undefined
  readonly policy: Concluded<string> | undefined
}

export interface Asked {
  readonly target: string
  /** How each credential is sent, by its name in the file. */
  readonly credentials: Readonly<Record<string, CredentialSpec>>
  /** The requests by their names in the file, with the status of the first response. */
  readonly requests: Readonly<Record<string, { readonly path: string; readonly status: number | null }>>
  readonly asked: number
}

/** What a few gentle requests showed about an API: enough for a first contract file, with the evidence. */
export interface Discovered {
  /** The preset with exactly these fields; undefined if there is none. */
  readonly preset: PresetName | undefined
  readonly fields: readonly DiscoveredField[]
  readonly retryAfter: Concluded<ApiContract['retryAfter']>
  readonly refusals: Concluded<readonly RefusalRule[]>
  /** Whether the API serves requests without a credential; undefined if that was not tried. */
  readonly anonymous: Concluded<'served' | 'turned away'> | undefined
  readonly quotas: readonly DiscoveredQuota[]
  /** What could not be found out, one sentence each. */
  readonly unknown: readonly string[]
}

/** The callers with a limit in the file: its credentials, or callers without one. */
export const callersOf = ({ credentials }: Asked): readonly string[] => {
  const names = Object.keys(credentials)
  return names.length > 0 ? names : ['anon']
}

/** Fills in what the user knows from the API's documentation, if no response shows it: responses win. */
export const withGiven = (
  { limit, windowMs }: { readonly limit?: number; readonly windowMs?: number },
  found: Discovered,
  credentials: readonly string[],
): Discovered => {
  const given = <T>(is: T) => ({ is, because: 'as given; no answer showed it' })
  const limits = limit && given(Object.fromEntries(credentials.map((name) => [name, limit])))
  const quotas = found.quotas.map((quota) => ({
    ...quota,
    limit: quota.limit ?? (limits || undefined),
    windowMs: quota.windowMs ?? (windowMs === undefined ? undefined : given(windowMs)),
  }))
  return { ...found, quotas }
}
