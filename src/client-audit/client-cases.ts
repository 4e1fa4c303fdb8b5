import { z } from 'zod'
import { amount, maybe, plainName, whole } from '../kit/described.js'
import { attempt } from '../kit/usage-error.js'
import { checkYaml, readYaml, yamlFileOf } from '../kit/yaml-file.js'

const isTimeZone = (text: string): boolean =>
  attempt(() => new Intl.DateTimeFormat('en', { timeZone: text })) !== undefined

const seconds = z.number().min(-86_400_000).max(86_400_000)

const retryAfter = z.union(
  [
    z.strictObject({ seconds: z.int().min(0).describe('A number of seconds.') }),
    z.strictObject({
      date: z
        .enum(['imf-fixdate', 'rfc850', 'asctime'])
        .describe('A date, in one of the forms of HTTP (RFC 9110 §5.6.7).'),
      inSeconds: seconds.describe('How long after the answer that date is; a negative number is a date in the past.'),
    }),
    z.strictObject({
      text: z
        .string()
        .max(200)
        .regex(/^[\t\x20-\x7e]*$/, { error: 'must be printable ASCII' })
        .describe('Any text, such as `soon`.'),
    }),
  ],
  { error: 'must be {seconds: 2}, {date: imf-fixdate, inSeconds: 3}, or {text: soon} in printable ASCII' },
)

const answer = z.strictObject({
  status: z.union([z.literal(200), z.literal(429), z.literal(503)]).describe('The status of the answer.'),
  times: whole(
    1,
    1_000,
    1,
    'How many times this answer is given before the next one; the last answer repeats forever.',
  ),
  retryAfter: maybe(retryAfter, 'What `Retry-After` says.'),
  resetInSeconds: maybe(
    seconds,
    'The moment in `X-RateLimit-Reset`. Without it, a refusal carries no rate-limit header.',
  ),
  delayMs: amount(0, 30_000, 0, 'Milliseconds that the answer takes.'),
  bare: z.boolean().default(false).describe('Whether a 200 carries no rate-limit header.'),
})

/** A limiter that counts like the Free plan: 60 in a minute's window, which the time scale shortens. */
const quota = z.strictObject({
  requests: whole(1, 10_000, 60, 'The limit of a window.'),
  timeScale: z.number().positive().max(600).default(15).describe('Divides the minute: at 15 a window lasts 4 s.'),
  othersPerSecond: amount(0, 1_000, 0, 'How many requests per second others spend of the same quota.'),
  serveMs: amount(0, 30_000, 0, 'Milliseconds that an answer takes.'),
  banAfter: whole(1, 10_000, 20, 'How many refusals lead to a ban.'),
})

const clientCase = z
  .strictObject({
    id: plainName.describe('Its name in reports.'),
    title: z.string().min(1).describe('What the client meets, for people.'),
    plays: whole(1, 50, 1, 'How often quotaspec starts the client for this case, side by side.'),
    watchSeconds: amount(0.5, 3_600, 20, 'How long a play is watched, at most.'),
    timeZone: maybe(
      z.string().refine(isTimeZone, { error: 'must be the name of a time zone, such as Asia/Tokyo' }),
      'The `TZ` that the client gets: a zone other than UTC shows whether it reads a date as local time.',
    ),
    work: z
      .strictObject({
        requests: whole(1, 10_000, 1, 'How many requests the client must make.'),
        workers: whole(1, 200, 1, 'How many workers share them.'),
        operation: z.enum(['listInventory', 'updateInventory']).default('listInventory').describe('What it asks for.'),
      })
      .default({ requests: 1, workers: 1, operation: 'listInventory' })
      .describe('What the client is asked to do, in variables of its environment.'),
    answers: maybe(
      z.array(answer.describe('One answer.')).min(1).max(100),
      'The answers, one after the other. A case has `answers`, `quota` or `patience`.',
    ),
    quota: maybe(quota, 'A limiter that counts, like that of the plan Free.'),
    patience: maybe(
      z.strictObject({ seconds: z.int().min(1).max(600).describe('How long the client has to be silent.') }),
      'Refuses every request and names these seconds, until the client has been silent for that long.',
    ),
  })
  .refine((each) => [each.answers, each.quota, each.patience].filter((one) => one !== undefined).length === 1, {
    error: 'needs one of answers, quota and patience, and only one',
  })
  .meta({ oneOf: [{ required: ['answers'] }, { required: ['quota'] }, { required: ['patience'] }] })

/** A file of cases for `quotaspec client`: the answers that the client gets, and how long it is watched. */
export const clientCasesSchema = z
  .strictObject({
    $schema: maybe(z.string(), 'Where editors find this schema; quotaspec ignores it.'),
    name: plainName.describe('Its name in reports.'),
    description: z.string().describe('For people.'),
    cases: z
      .array(clientCase.describe('One case.'))
      .min(1, { error: 'needs at least one case' })
      .max(200)
      .describe('What the client meets.'),
  })
  .refine(({ cases }) => new Set(cases.map(({ id }) => id)).size === cases.length, {
    error: 'has two cases with one id',
  })

export type ClientCases = z.infer<typeof clientCasesSchema>

/** Reads a file of cases and checks every field. Throws a {@link UsageError} that names file, line and field. */
export const loadClientCases = (nameOrPath: string, folder: string): ClientCases => {
  const place = readYaml(yamlFileOf(nameOrPath, folder, 'file of cases'), 'a case')
  return checkYaml(place, clientCasesSchema, place.value, [])
}
