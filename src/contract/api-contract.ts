import { z } from 'zod'
import { modelNames } from './limiter-models.js'

/** How a credential is shown to the target; its secret comes from the environment and is never part of a contract. */
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
  /** Statuses of an answer that was served; any 2xx where it is empty. */
  expect: z.array(z.int()),
  /** Every status that it is declared to answer; absent of a contract file, which tells served from refused and no more. */
  statuses: z.array(z.int()).optional(),
})
export type ContractRequest = z.infer<typeof contractRequest>

/** What a field says. `used/limit` is both in one value: `32/40`. The last four are structured as the IETF's drafts have it. */
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

/** How a moment is written. `duration` is `6m0s` or `1.5s`. */
export const resetUnits = ['epoch-s', 'epoch-ms', 'delta-s', 'delta-ms', 'duration', 'iso-8601', 'http-date'] as const
export type ResetUnit = (typeof resetUnits)[number]

const levelName = z.enum(['must', 'should', 'observe'])

/** A field of an answer that tells of a quota. */
export const headerField = z.object({
  name: z.string(),
  is: z.enum(fieldMeanings),
  /** For `reset` alone. */
  as: z.enum(resetUnits).optional(),
  /** The one quota of which it tells; absent: of each that is judged by it. */
  quota: z.string().optional(),
  /** It is on no refusal: of answers to what was served alone it is promised. */
  on: z.literal('served').optional(),
  /** It holds one value and is no list: `60, 60` is malformed. */
  single: z.boolean().optional(),
  level: levelName,
})
export type HeaderField = z.infer<typeof headerField>

/** How a refusal is told from an answer. Of several rules the first that fits decides. */
const refusalRule = z.object({
  is: z.enum(['quota', 'ban']),
  status: z.array(z.int()),
  /** Headers that have to be there with just these values. */
  when: z.record(z.string(), z.string()),
  /** A text that has to be in the body. */
  body: z.string().optional(),
  /** For how long a ban or a block lasts, in milliseconds, where the contract says so. */
  lastsMs: z.number().optional(),
  /** How long it lasts at least, where that is less. */
  leastMs: z.number().optional(),
})
export type RefusalRule = z.infer<typeof refusalRule>

/** How exact a quota is meant to be: shares of the limit, 0 for exact; null where that side is not promised at all. */
const exactness = z.object({ over: z.number().nullable(), early: z.number().nullable() })
export type Exactness = z.infer<typeof exactness>

/** Contracts called their requests probes once: the journals of those runs do so still. */
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
  /** Headers in which it believes the address that they claim, of whoever sends this run's requests. */
  trusts: z.array(z.string()).optional(),
  /** By credential; those that are not named do not count against it. */
  limit: z.record(z.string(), z.number()),
  windowMs: z.number(),
  /** What counts against it together; the first is what loads send. */
  requests: z.array(z.string()),
  /** The limiters that keep it, if they do so. */
  models: z.array(z.enum(modelNames)),
  /** The most at once, where that is another number than the limit. */
  burst: z.number().optional(),
  exact: exactness,
  /** What each request costs; 1 where it is not named. */
  cost: z.record(z.string(), z.number()),
  level: levelName,
  /** The policy's name in structured fields; absent: the one whose window is the quota's. */
  policy: z.string().optional(),
})
export type QuotaSpec = z.infer<typeof quotaFields>

/** What an event such as a restart may do: admit nothing more than without it, as many more as one limit, or so many. */
export const eventPromise = z.strictObject({
  mayAdmit: z
    .union([z.enum(['nothing', 'one-more-limit']), z.int().min(0)], {
      error: 'has to be nothing, one-more-limit, or a whole number of requests',
    })
    .describe(
      'How many more requests each key may be admitted because of the event: `nothing` if the count survives it, `one-more-limit` if the count may start again, or a number.',
    ),
})
export type EventPromise = z.infer<typeof eventPromise>

/** What an API promises of its quotas: a contract file, read and settled. It holds no secret, so that a run records it. */
const contractFields = z.object({
  name: z.string(),
  credentials: z.record(z.string(), credentialSpec),
  requests: z.record(z.string(), contractRequest),
  headers: z.array(headerField),
  retryAfter: z
    .object({
      /** The header that names the wait, where it is another than Retry-After. */
      name: z.string().optional(),
      as: z.array(z.enum(['seconds', 'http-date'])),
      level: levelName,
    })
    .nullable(),
  /** What is promised of clients that wait as told; absent: as grave as the gravest quota. */
  backoff: z.union([levelName, z.literal('none')]).optional(),
  refusals: z.array(refusalRule),
  quotas: z.array(z.preprocess(inWordsOfToday, quotaFields)),
  /** What events may do, by their names; of one that is not named nothing is promised. */
  events: z.record(z.string(), eventPromise).optional(),
  /** The plans whose limits are agreed with each customer, which a clause of its own speaks of: of the Petstore alone. */
  agreedPlans: z.array(z.string()).optional(),
})
export const apiContract = z.preprocess(inWordsOfToday, contractFields)
export type ApiContract = z.infer<typeof contractFields>

/**
 * Statuses that the requests of a contract are declared to answer: those that owe its fields. A contract file tells served
 * (read as 200) from refused (read as 429) and no more: a 401 before the limiter owes nothing.
 */
export const declaredStatuses = ({ requests }: ApiContract): readonly number[] =>
  Object.values(requests).flatMap(({ statuses = [200, 429] }) => statuses)

/** The header in which refusals name a wait. */
export const waitName = ({ retryAfter }: Pick<ApiContract, 'retryAfter'>): string => retryAfter?.name ?? 'Retry-After'

/** The headers that a contract names, in lower case: those of its quotas, of waits, and those that tell refusals. */
export const namedHeaders = (contract: Pick<ApiContract, 'headers' | 'retryAfter' | 'refusals'>): ReadonlySet<string> =>
  new Set(
    [
      ...contract.headers.map(({ name }) => name),
      waitName(contract),
      ...contract.refusals.flatMap(({ when }) => Object.keys(when)),
    ].map((name) => name.toLowerCase()),
  )

/** What an answer may show of a quota. */
export type ShownPart = 'limit' | 'remaining' | 'reset'

/** The meanings of fields in which each stands. A list of policies that no name belongs to says nothing for certain. */
const showing: Readonly<Record<ShownPart, readonly HeaderField['is'][]>> = {
  limit: ['limit', 'used/limit', 'policy', 'draft-07', 'draft-07-policy', 'draft-11-policy'],
  remaining: ['remaining', 'used', 'used/limit', 'draft-07', 'draft-11'],
  reset: ['reset', 'draft-07', 'draft-11'],
}

/** The fields of a contract in which a part stands, in its order; none where it does not promise to show it. */
export const fieldsShowing = ({ headers }: Pick<ApiContract, 'headers'>, part: ShownPart): HeaderField[] =>
  headers.filter(({ is }) => showing[part].includes(is))

/** Whether an answer may leave the reset out: in the fields of draft 11 it is optional. */
export const isResetOptional = (contract: Pick<ApiContract, 'headers'>): boolean =>
  fieldsShowing(contract, 'reset').every(({ is }) => is === 'draft-11')
