import { z } from 'zod'
import { flag, maybe, text } from '../../kit/described.js'
import { hint, variableName } from '../../kit/yaml-file.js'
import { eventPromise, fieldMeanings, resetUnits } from '../api-contract.js'
import { presetNames } from '../header-presets.js'
import { modelNames } from '../limiter-models.js'
import { addressHeaders } from '../request-spellings.js'
import { formsOf, givenName, headerName, level, oneOrMore, share, span, status } from './measures.js'

const scheme = z
  .string()
  .regex(/^(bearer|basic|none|(header|query|cookie) [^\s;,="]{1,100})$/, {
    // Without what stands there: it may be the secret.
    error: ({ input }) =>
      ['header', 'query', 'cookie'].includes(String(input))
        ? `needs a name: write ${input} and the name, such as header X-Api-Key`
        : `has to be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else${hint(input, ['bearer', 'basic', 'none'])}`,
  })
  .describe(
    'How it is sent: `bearer` and `basic` in Authorization; `header NAME`, `query NAME` or `cookie NAME` there; `none` sends no credential.',
  )

const env = variableName.describe(
  'The environment variable that holds the secret: `token`, or `user:password` for `basic`. Every scheme but `none` needs it. The secret itself never stands in the file.',
)

/** A caller of the API, as the file has it. */
const credentialEntry = z.strictObject(
  { scheme, env: env.optional() },
  { error: 'has to be fields such as {scheme: bearer, env: ACME_KEY}' },
)

const preset = z.enum(presetNames).meta({ title: 'a preset' })

const field = z
  .strictObject({
    name: headerName.describe('The name of the header; letter case does not matter.'),
    is: z
      .enum(fieldMeanings)
      .describe(
        'What it says: the `limit`, what is `remaining` or `used`, both as `used/limit` (`32/40`), the moment of the `reset`, policies such as `60;w=60` as `policy`; `draft-07`, `draft-11` and their `-policy` are the fields of the IETF drafts.',
      ),
    as: maybe(
      z.enum(resetUnits),
      'How a `reset` writes its moment; nothing else has it. `epoch-s` and `epoch-ms` count from 1970, `delta-s` and `delta-ms` from the answer; `duration` is `6m0s`.',
    ),
    of: text('The id of the quota of which it tells, where there are several and it shows only that one.').optional(),
    on: maybe(
      z.literal('served', { error: 'has to be served, or left out' }),
      '`served` where refusals do not have it; default: every answer has it.',
    ),
    level: level
      .default('must')
      .describe('How serious it is when absent or wrong; `observe` only reports what it says.'),
  })
  .refine(({ is, as }) => is !== 'reset' || as !== undefined, {
    error: `is a reset, so it has to say how it is written: add as: with one of ${resetUnits.join(', ')}`,
    path: ['is'],
  })
  .refine(({ is, as }) => is === 'reset' || as === undefined, {
    error: 'goes only with is: reset: remove it',
    path: ['as'],
  })

/** What of an answer tells of quotas, as the file has it. */
const headersEntry = formsOf(
  [
    preset,
    z.strictObject({
      preset: preset.describe('The name of the preset.'),
      level: maybe(level, 'In place of its own: `should` for the IETF drafts, `must` for the others.'),
    }),
    z.array(field).min(1, { error: 'is an empty list: write headers: none where there is nothing to read' }),
  ],
  `has to be one of ${presetNames.join(', ')}, or a list of fields such as - {name: X-Shop-Limit, is: used/limit}`,
)

/** How a refusal says how long to wait, as the file has it. */
const retryAfterEntry = formsOf(
  [
    z.literal('none'),
    z.strictObject({
      as: oneOrMore(z.enum(['seconds', 'http-date']), 'has to be seconds, http-date, or [seconds, http-date]')
        .prefault(['seconds', 'http-date'])
        .describe('The forms in which it may come. RFC 9110 knows these two.'),
      name: maybe(
        headerName,
        'The header, where it is another: `Retry-After-Short`. Sentences of the report call it Retry-After all the same.',
      ),
      level: level.default('must').describe('How serious it is when a refusal has none, or one that is not kept.'),
    }),
  ],
  'has to be none, or {as: seconds, level: must}',
)

const most = 1_000_000_000

const count = z
  .int({ error: 'has to be a whole number of requests' })
  .min(1, { error: 'has to be at least 1' })
  .max(most, { error: 'has to be at most 1,000,000,000' })

const notPromised = z.literal('any')

const exact = formsOf(
  [
    z.literal(true),
    z.enum(['at-most', 'at-least']),
    z.strictObject({
      over: formsOf([share, notPromised], 'has to be a share such as 5%, or any')
        .prefault('0%')
        .describe('How much may be admitted beyond it: `5%`. `any` promises nothing.'),
      early: formsOf([share, notPromised], 'has to be a share such as 2%, or any')
        .prefault('0%')
        .describe('How much may be refused although it is left: `2%`. `any` promises nothing.'),
    }),
  ],
  'has to be true, at-most, at-least, or a tolerance such as {over: 5%, early: 2%}',
)

const quotaEntry = z.strictObject({
  id: givenName.describe('Its name in the report.'),
  by: z
    .enum(['credential', 'address', 'credential+request', 'address+request'])
    .default('credential')
    .describe(
      'What has a count of its own: each credential; the address that requests come from, whatever they show; or each request of either.',
    ),
  trusts: maybe(
    z.array(z.enum(addressHeaders)),
    'Headers in which it believes the address of a client, because the run goes out from a proxy that it trusts: `[X-Forwarded-For]`. From anywhere else none of them may open a fresh count.',
  ),
  limit: formsOf(
    [count, z.record(z.string(), count)],
    'has to be a whole number of requests, or one for each credential: {free: 60, pro: 300}',
  ).describe(
    'The most requests, or points where they have a `cost`, in one window: of every credential, or of those that are named; the others do not count against it.',
  ),
  window: span.describe('How long they count: `1s` to `31d`. One of an hour or more is spent only when asked for.'),
  requests: z
    .array(z.string())
    .min(1, {
      error: 'needs at least one request, such as [items]: a quota that nothing counts against cannot be tested',
    })
    .describe('What counts against it together. Loads send the first.'),
  models: formsOf(
    [
      z.literal('any'),
      oneOrMore(z.enum(modelNames).meta({ title: 'a model' }), `has to be any, or some of ${modelNames.join(', ')}`),
    ],
    `has to be any, or some of ${modelNames.join(', ')}`,
  )
    .prefault('any')
    .describe('The ways of counting of which one has to explain what was seen; fewer make a stricter contract.'),
  burst: maybe(
    count,
    'What a bucket holds, where that is not the limit: 40 with a limit of 2 and a window of `1s`. Needs `models` with `token-bucket` or `gcra` alone.',
  ),
  exact: exact
    .prefault(true)
    .describe(
      'How exact it is meant to be. `true`: not one too many, and not one too few. `at-most` may refuse early, `at-least` may admit too many. Else it is held to its tolerance, in shares of the limit, and of the `burst` where there is one, and told as weaker.',
    ),
  cost: maybe(z.record(z.string(), count), 'What each request costs; 1 where it is not named: `{search: 5}`.'),
  level: level.default('must').describe('How serious it is when it is broken.'),
  policy: maybe(
    z.string().regex(/^[ -~]+$/, { error: 'has to be the name of a policy, in printable ASCII' }),
    'The name that its policy has in headers; default: the policy with the same window.',
  ),
})

/** How a refusal is told from an answer, as the file has it. */
const refusalEntry = z.strictObject({
  is: z
    .enum(['quota', 'ban'], {
      error: 'has to be quota or ban; a block for a fixed time is one of them with lasts: 5m',
    })
    .describe('`quota`: the request was one too many. `ban`: the caller is shut out for a time, whatever it asks for.'),
  status: oneOrMore(status, 'has to be a status such as 429, or a list of some').describe(
    'The status, or statuses, that it comes with.',
  ),
  when: maybe(
    z.record(headerName, z.union([z.string(), z.number(), z.boolean()], { error: 'has to be a text' })),
    "Headers that it has to have with just these values: `{x-ratelimit-remaining: '0'}`.",
  ),
  body: maybe(z.string().min(1), 'A text that has to be somewhere in its body.'),
  lasts: maybe(
    span,
    'How long whoever got it is shut out, at most: `5m`. It counts from the refusal that begins it, and what is refused meanwhile does not lengthen it. Of a `quota` rule the first refusal begins a block, of a `ban` rule it is the ban.',
  ),
  atLeast: maybe(
    span,
    'How long it lasts at least, where it is not always as long: `4s` beside `lasts: 5s` of one that ends with a whole second.',
  ),
})

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const path = z
  .string()
  .startsWith('/', { error: 'has to begin with a slash, below the base address that the run is given' })
  .regex(/^[!-~]*$/, { error: 'has to be printable ASCII without spaces: write %20 and the like' })
  .regex(/^[^#]*$/, { error: 'has to end before the #, which is never sent' })
  .regex(/^(?!\/\/)/, { error: 'has to begin with one slash: two would name another host' })
  .regex(/^[^{}]*$/, { error: 'has a {parameter} in it: write the value itself' })
  .refine((text) => !/(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(text), { error: 'has to be without . and .. as steps' })
  .describe('What is asked for, below the base address, query included.')

const printable = z.string().regex(/^[\t -~]*$/, { error: 'has to be printable ASCII, on one line' })

/** A request that counts, as the file has it: written out, or an operation of the OpenAPI document. */
const requestEntry = z
  .strictObject({
    method: maybe(z.enum(methods), 'Default: `GET`. A method that may change something needs `safe: true`.'),
    path: path.optional(),
    operation: maybe(
      z.string().min(1),
      'In place of `method` and `path`: the `operationId` of an operation of the `openapi` document.',
    ),
    parameters: maybe(
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()], { error: 'has to be a text or a number' })),
      "Values of the operation's parameters in the path, the query and headers, by name.",
    ),
    headers: maybe(
      z.record(headerName, printable),
      'Sent with it, in addition to those of the credential: `{Accept: application/json}`.',
    ),
    body: maybe(
      z.string({ error: 'has to be a text: put JSON in quotes, or after a |' }),
      'Sent with it as it stands; say its `Content-Type` among the `headers`.',
    ),
    expect: oneOrMore(status, 'has to be a status such as 200, or a list of some')
      .optional()
      .describe('The status, or statuses, of an answer that was served; default: any 2xx.'),
    safe: flag(
      'Says that a `POST`, `PUT`, `PATCH` or `DELETE` changes nothing, however often it is sent: a search, or the deletion of what is not there.',
    ).optional(),
  })
  .refine((request) => request.path !== undefined || request.operation !== undefined, {
    error: 'needs a path, such as path: /items, or an operation of the openapi document',
  })
  .refine(
    (request) => request.operation === undefined || (request.path === undefined && request.method === undefined),
    {
      error: 'names an operation, whose method and path the openapi document knows: leave out its own',
    },
  )
  .meta({ oneOf: [{ required: ['path'] }, { required: ['operation'], not: { required: ['method'] } }] })

/** The version of the file that this schema reads. */
const version = 1

/** A contract file: what an API promises of its quotas, on a page that its owner writes. */
export const contractFileSchema = z.strictObject({
  $schema: text('Where editors find this schema; quotaspec ignores it.').optional(),
  quotaspec: z
    .literal(version, { error: `has to be ${version}, the version of the file: write quotaspec: ${version}` })
    .describe('The version of the file: 1.'),
  name: givenName.describe('The name of the API.'),
  description: text('For people.').optional(),
  openapi: maybe(
    z.string().min(1),
    'An OpenAPI 3.0 or 3.1 document, by its path from this file: then requests may name its operations.',
  ),
  credentials: z
    .record(givenName, credentialEntry.describe('One caller.'))
    .describe('The callers, by names of your own: plans, users or whatever the API tells apart.'),
  requests: z
    .record(givenName, requestEntry.describe('One request.'))
    .describe('Cheap requests that change nothing, by names of your own: at least one for each quota.'),
  headers: headersEntry
    .default('none')
    .describe('What answers say about quotas: a preset, or a list of fields. Default: `none`.'),
  retryAfter: retryAfterEntry.prefault('none').describe('What refusals promise in Retry-After. Default: `none`.'),
  backoff: maybe(
    z.union([z.literal('none'), level], { error: 'has to be must, should, observe or none' }),
    'How serious it is when clients that wait as told, and back off, are banned or never served; `none` promises nothing of them. Default: the most serious level of the quotas.',
  ),
  refusals: z
    .array(refusalEntry.describe('One rule.'))
    .min(1, { error: 'is an empty list: leave it out where a refusal is a 429' })
    .prefault([{ is: 'quota', status: 429 }])
    .describe('How refusals are told from other answers: the first that fits. Default: any 429 is a refusal.'),
  quotas: z
    .array(quotaEntry.describe('One quota.'))
    .min(1, { error: 'needs at least one quota' })
    .describe('What is promised.'),
  events: maybe(
    z.record(givenName, eventPromise.describe('One event.')),
    'What events of a scenario may do, by their names: `{restart: {mayAdmit: one-more-limit}}`. Events that are not named are only observed.',
  ),
})

/** The same as it is written. */
export type ContractFileInput = z.input<typeof contractFileSchema>

export type ContractFile = z.output<typeof contractFileSchema>
