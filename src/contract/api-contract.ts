import { z } from 'zod'
import { modelNames } from './limiter-models.js'

/** How a credential is sent; its secret comes from the environment and is never part of a contract. */
const credentialSpec = z.object({
  scheme: z.enum(['bearer', 'basic', 'header', 'query', 'cookie', 'none']),
  /** The name of the header, the query parameter or the cookie; absent for the other schemes. */
  name: z.string().optional(),
  /** The environment variable that holds the secret; absent for `none`. */
  env: z.string().optional(),
})
export type CredentialSpec = z.infer<typeof credentialSpec>

/** A cheap, safe request that counts against a quota. */
const contractRequest = z.object({
  method: z.string(),
  /** Below the base address, query included. */
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  /** Statuses of a served request; if empty, any 2xx. */
  expect: z.array(z.int()),
  /** Every status that it may answer; absent in contract files, which only tell served from refused. */
  statuses: z.array(z.int()).optional(),
})
export type ContractRequest = z.infer<typeof contractRequest>

/** What a field says. `used/limit` is both in one value: `32/40`. The last four are structured as in the IETF's drafts. */
export const fieldMeanings = [
  'limit',
  'remaining',
  'used',
  'used/limit',
  'reset',
  'policy',
  'draft-07-policy',
  'draft-07',
  'draft-11-policy',
  'draft-11',
] as const

/** How the time of a reset is written. `duration` is `6m0s` or `1.5s`. */
export const resetUnits = ['epoch-s', 'epoch-ms', 'delta-s', 'delta-ms', 'duration', 'iso-8601', 'http-date'] as const
export type ResetUnit = (typeof resetUnits)[number]

export const levelName = z.enum(['must', 'should', 'observe'])

/** A response header that tells something about a quota. */
export const headerField = z.object({
  name: z.string(),
  is: z.enum(fieldMeanings),
  /** Only for `reset`. */
  as: z.enum(resetUnits).optional(),
  /** The only quota that it describes; if absent, every quota that is judged by it. */
  quota: z.string().optional(),
  /** Promised only on served responses, not on refusals. */
  on: z.literal('served').optional(),
  /** It holds one value, not a list: `60, 60` is malformed. */
  single: z.boolean().optional(),
  level: levelName,
})
export type HeaderField = z.infer<typeof headerField>

/** Whether a field may come in several lines: those of the drafts, and lists of policies. The others hold one value. */
export const mayRepeat = ({ is }: HeaderField): boolean => is === 'policy' || is.startsWith('draft-')

/** How to recognise a refusal. The first rule that fits decides. */
const refusalRule = z.object({
  is: z.enum(['quota', 'ban']),
  status: z.array(z.int()),
  /** Headers that must have exactly these values. */
  when: z.record(z.string(), z.string()),
  /** A text that the body must contain. */
  body: z.string().optional(),
  /** How long a ban or a block lasts, in milliseconds, if the contract says so. */
  lastsMs: z.number().optional(),
  /** The shortest that it may last, if that is less. */
  leastMs: z.number().optional(),
})
export type RefusalRule = z.infer<typeof refusalRule>

/** How exact a quota is: shares of the limit, 0 for exact; null if that side is not promised at all. */
const exactness = z.object({ over: z.number().nullable(), early: z.number().nullable() })
export type Exactness = z.infer<typeof exactness>

/** Contracts used to call their requests probes, and the journals of old runs still do. */
const inWordsOfToday = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null || !('probes' in given) || 'requests' in given) return given
  const { probes: requests, ...rest } = given
  return 'by' in rest && rest.by === 'credential+probe'
    ? { ...rest, requests, by: 'credential+request' }
    : { ...rest, requests }
}

const quotaFields = z.object({
  id: z.string(),
  by: z.enum(['credential', 'address', 'credential+request', 'address+request']),
  /** Headers whose claimed client address it believes when they come from this run's machine. */
  trusts: z.array(z.string()).optional(),
  /** By credential; a credential that is not named does not count against it. */
  limit: z.record(z.string(), z.number()),
  windowMs: z.number(),
  /** The requests that count against it together; loads send the first. */
  requests: z.array(z.string()),
  /** The limiters that may keep it; any if empty. */
  models: z.array(z.enum(modelNames)),
  /** The most at once, if not the limit. */
  burst: z.number().optional(),
  exact: exactness,
  /** The cost of each request; 1 if not named. */
  cost: z.record(z.string(), z.number()),
  level: levelName,
  /** The policy's name in structured fields; if absent, the policy with the quota's window. */
  policy: z.string().optional(),
})
export type QuotaSpec = z.infer<typeof quotaFields>

/** How many more requests an event such as a restart may let in: none, one limit's worth, or this number. */
export const eventPromise = z.strictObject({
  mayAdmit: z
    .union([z.enum(['nothing', 'one-more-limit']), z.int().min(0)], {
      error: 'must be nothing, one-more-limit, or a whole number of requests',
    })
    .describe(
      'How many more requests each key may be admitted because of the event: `nothing` if the count survives it, `one-more-limit` if the count may start again, or a number.',
    ),
})
export type EventPromise = z.infer<typeof eventPromise>

/** What an API promises about its quotas: a contract file, read and settled. It holds no secret, so runs record it. */
const contractFields = z.object({
  name: z.string(),
  credentials: z.record(z.string(), credentialSpec),
  requests: z.record(z.string(), contractRequest),
  headers: z.array(headerField),
  retryAfter: z
    .object({
      /** The header that names the wait, if not Retry-After. */
      name: z.string().optional(),
      as: z.array(z.enum(['seconds', 'http-date'])),
      level: levelName,
    })
    .nullable(),
  /** The level of the promise to clients that wait as told; if absent, that of the most serious quota. */
  backoff: z.union([levelName, z.literal('none')]).optional(),
  refusals: z.array(refusalRule),
  quotas: z.array(z.preprocess(inWordsOfToday, quotaFields)),
  /** What each event may do, by name; nothing is promised for an event that is not named. */
  events: z.record(z.string(), eventPromise).optional(),
  /** The Petstore's plans with limits agreed per customer, which have their own clause (QUOTA-5). */
  agreedPlans: z.array(z.string()).optional(),
})
export const apiContract = z.preprocess(inWordsOfToday, contractFields)
export type ApiContract = z.infer<typeof contractFields>

/**
 * The declared statuses of a contract's requests: those that owe its headers. A contract file only tells served (read as
 * 200) from refused (read as 429): a 401 from before the limiter owes nothing.
 */
export const declaredStatuses = ({ requests }: ApiContract): readonly number[] =>
  Object.values(requests).flatMap(({ statuses = [200, 429] }) => statuses)

/** The header in which refusals name a wait. */
export const waitName = ({ retryAfter }: Pick<ApiContract, 'retryAfter'>): string => retryAfter?.name ?? 'Retry-After'

/** The headers that a contract names, in lower case: for quotas, for waits, and to recognise refusals. */
export const namedHeaders = (contract: Pick<ApiContract, 'headers' | 'retryAfter' | 'refusals'>): ReadonlySet<string> =>
  new Set(
    [
      ...contract.headers.map(({ name }) => name),
      waitName(contract),
      ...contract.refusals.flatMap(({ when }) => Object.keys(when)),
    ].map((name) => name.toLowerCase()),
  )

/** What a response may show of a quota. */
export type ShownPart = 'limit' | 'remaining' | 'reset'

/** The field meanings that show each part. A list of policies without names shows none for certain. */
const showing: Readonly<Record<ShownPart, readonly HeaderField['is'][]>> = {
  limit: ['limit', 'used/limit', 'policy', 'draft-07', 'draft-07-policy', 'draft-11-policy'],
  remaining: ['remaining', 'used', 'used/limit', 'draft-07', 'draft-11'],
  reset: ['reset', 'draft-07', 'draft-11'],
}

/** The fields of a contract that show a part, in order; none if the contract does not promise it. */
export const fieldsShowing = ({ headers }: Pick<ApiContract, 'headers'>, part: ShownPart): HeaderField[] =>
  headers.filter(({ is }) => showing[part].includes(is))

/** Whether a response may leave out the reset: in the fields of draft 11 it is optional. */
export const isResetOptional = (contract: Pick<ApiContract, 'headers'>): boolean =>
  fieldsShowing(contract, 'reset').every(({ is }) => is === 'draft-11')
