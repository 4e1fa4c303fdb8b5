import { z } from 'zod'

const seconds = z.number().min(-86_400_000).max(86_400_000)

const retryAfter = z.union(
  [
    z.strictObject({ seconds: z.int().min(0) }),
    z.strictObject({ date: z.enum(['imf-fixdate', 'rfc850', 'asctime']), inSeconds: seconds }),
    z.strictObject({
      text: z
        .string()
        .max(200)
        .regex(/^[\t\x20-\x7e]*$/, { error: 'has to be printable ASCII' }),
    }),
  ],
  { error: 'has to be {seconds: 2}, {date: imf-fixdate, inSeconds: 3}, or {text: soon} in printable ASCII' },
)

const answer = z.strictObject({
  status: z.union([z.literal(200), z.literal(429), z.literal(503)]),
  /** How often it is given before the next one's turn; the last one is given for ever. */
  times: z.int().min(1).max(1_000).default(1),
  retryAfter: retryAfter.optional(),
  /** Names the moment in X-RateLimit-Reset; without it a refusal carries no rate-limit header. */
  resetInSeconds: seconds.optional(),
  delayMs: z.number().min(0).max(30_000).default(0),
  /** Carries no rate-limit header, though it is a 200. */
  bare: z.boolean().default(false),
})

/** A limiter that counts, as the plan Free does: 60 in a window of a minute that the time scale makes shorter. */
const quota = z.strictObject({
  requests: z.int().min(1).max(10_000).default(60),
  timeScale: z.number().positive().max(600).default(15),
  othersPerSecond: z.number().min(0).max(1_000).default(0),
  serveMs: z.number().min(0).max(30_000).default(0),
  banAfter: z.int().min(1).max(10_000).default(20),
})

const clientCase = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'has to be lower-case letters, digits and hyphens' }),
    title: z.string().min(1),
    /** How often the client is started for it, side by side. */
    plays: z.int().min(1).max(50).default(1),
    /** How long a play is watched, at most. */
    watchSeconds: z.number().min(0.5).max(3_600).default(20),
    /** What the client is asked to do, in its environment; one that asks for more than it reads is no use. */
    work: z
      .strictObject({
        requests: z.int().min(1).max(10_000).default(1),
        workers: z.int().min(1).max(200).default(1),
        operation: z.enum(['listInventory', 'updateInventory']).default('listInventory'),
      })
      .default({ requests: 1, workers: 1, operation: 'listInventory' }),
    /** Exactly one of the three says how it answers. */
    answers: z.array(answer).min(1).max(100).optional(),
    quota: quota.optional(),
    /** Refuses, and names these seconds, until the client has been silent for all of them. */
    patience: z.strictObject({ seconds: z.int().min(1).max(600) }).optional(),
  })
  .refine((each) => [each.answers, each.quota, each.patience].filter((one) => one !== undefined).length === 1, {
    error: 'needs one of answers, quota and patience, and only one',
  })

/** A file of cases for `quotaspec client`: what the client meets, and for how long it is watched. */
export const clientCasesSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'has to be lower-case letters, digits and hyphens' }),
    description: z.string(),
    cases: z.array(clientCase).min(1, { error: 'needs at least one case' }).max(200),
  })
  .refine(({ cases }) => new Set(cases.map(({ id }) => id)).size === cases.length, {
    error: 'has two cases with one id',
  })

export type ClientCases = z.infer<typeof clientCasesSchema>
export type ClientCase = z.infer<typeof clientCase>
