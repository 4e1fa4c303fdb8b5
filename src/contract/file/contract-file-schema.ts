import { z } from 'zod'
import { flag, maybe, text } from '../../kit/described.js'
import { hint, variableName } from '../../kit/yaml-file.js'
import { eventPromise, fieldMeanings, levelName as level, resetUnits } from '../api-contract.js'
import { presetNames } from '../header-presets.js'
import { modelNames } from '../limiter-models.js'
import { addressHeaders } from '../request-spellings.js'
import { formsOf, givenName, headerName, oneOrMore, share, span, status } from './measures.js'

const scheme = z
  .string()
  .regex(/^(bearer|basic|none|(header|query|cookie) [^\s;,="]{1,100})$/, {
    // Does not repeat the value: it may be the secret.
    error: ({ input }) =>
      ['header', 'query', 'cookie'].includes(String(input))
        ? `needs a name: write ${input} and the name, such as header X-Api-Key`
        : `must be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else${hint(input, ['bearer', 'basic', 'none'])}`,
  })
  .describe(
    'Where requests carry it: `bearer` and `basic` in Authorization; `header NAME`, `query NAME` or `cookie NAME` under that name; `none` sends no credential.',
  )

const env = variableName.describe(
  'The environment variable that holds the secret: `token`, or `user:password` for `basic`. Every scheme except `none` needs it. Never write the secret itself into the file.',
)

const credentialEntry = z.strictObject(
  { scheme, env: env.optional() },
  { error: 'must be fields such as {scheme: bearer, env: ACME_KEY}' },
)

const preset = z.enum(presetNames).meta({ title: 'a preset' })

const field = z
  .strictObject({
    name: headerName.describe('The name of the header; letter case does not matter.'),
    is: z
      .enum(fieldMeanings)
      .describe(
        'What the header shows: the `limit`; what is `remaining` or `used`; `used/limit` for both (`32/40`); the moment of the `reset`; `policy` for policies such as `60;w=60`. `draft-07`, `draft-11` and their `-policy` are the fields of the IETF drafts.',
      ),
    as: maybe(
      z.enum(resetUnits),
      'How a `reset` writes its moment (only for `is: reset`). `epoch-s` and `epoch-ms` count from 1970, `delta-s` and `delta-ms` from the answer; `duration` looks like `6m0s`.',
    ),
    of: text('The id of the quota that it shows, if there are several and it shows only that one.').optional(),
    on: maybe(
      z.literal('served', { error: 'must be served, or left out' }),
      '`served` if refusals do not have it. Default: every answer has it.',
    ),
    level: level
      .default('must')
      .describe('How serious it is if the header is absent or wrong. `observe` only reports what it says.'),
  })
  .refine(({ is, as }) => is !== 'reset' || as !== undefined, {
    error: `is a reset, so it must say how it is written: add as: with one of ${resetUnits.join(', ')}`,
    path: ['is'],
  })
  .refine(({ is, as }) => is === 'reset' || as === undefined, {
    error: 'belongs only to is: reset: remove it',
    path: ['as'],
  })

/** The response headers that tell about quotas, as written in the file. */
const headersEntry = formsOf(
  [
    preset,
    z.strictObject({
      preset: preset.describe('The name of the preset.'),
      level: maybe(
        level,
        "Another level than the preset's own, which is `should` for the IETF drafts and `must` for the others.",
      ),
    }),
    z.array(field).min(1, { error: 'is an empty list: write headers: none if no header shows quotas' }),
  ],
  `must be one of ${presetNames.join(', ')}, or a list of fields such as - {name: X-Shop-Limit, is: used/limit}`,
)

/** How a refusal names the wait, as written in the file. */
const retryAfterEntry = formsOf(
  [
    z.literal('none'),
    z.strictObject({
      as: oneOrMore(z.enum(['seconds', 'http-date']), 'must be seconds, http-date, or [seconds, http-date]')
        .prefault(['seconds', 'http-date'])
        .describe('The forms that Retry-After may have. RFC 9110 defines these two.'),
      name: maybe(
        headerName,
        'The header, if it has another name: `Retry-After-Short`. The report still calls it Retry-After.',
      ),
      level: level
        .default('must')
        .describe('How serious it is if a refusal has no Retry-After, or one that the API does not keep.'),
    }),
  ],
  'must be none, or {as: seconds, level: must}',
)

const most = 1_000_000_000

const count = z
  .int({ error: 'must be a whole number of requests' })
  .min(1, { error: 'must be at least 1' })
  .max(most, { error: 'must be at most 1,000,000,000' })

const notPromised = z.literal('any')

const exact = formsOf(
  [
    z.literal(true),
    z.enum(['at-most', 'at-least']),
    z.strictObject({
      over: formsOf([share, notPromised], 'must be a share such as 5%, or any')
        .prefault('0%')
        .describe('How much may be admitted beyond the limit: `5%`. `any` promises nothing.'),
      early: formsOf([share, notPromised], 'must be a share such as 2%, or any')
        .prefault('0%')
        .describe('How much of the limit may be left when a request is refused: `2%`. `any` promises nothing.'),
    }),
  ],
  'must be true, at-most, at-least, or a tolerance such as {over: 5%, early: 2%}',
)

const quotaEntry = z.strictObject({
  id: givenName.describe('Its name in the report.'),
  by: z
    .enum(['credential', 'address', 'credential+request', 'address+request'])
    .default('credential')
    .describe(
      'What has its own count: each credential; each address that requests come from, whatever credential they carry; or each request of a credential or of an address.',
    ),
  trusts: maybe(
    z.array(z.enum(addressHeaders)),
    "Headers from which the API takes a client's address, because it trusts the proxy that the run's requests come from: `[X-Forwarded-For]`. Requests from anywhere else must not get a fresh count by such a header.",
  ),
  limit: formsOf(
    [count, z.record(z.string(), count)],
    'must be a whole number of requests, or one for each credential: {free: 60, pro: 300}',
  ).describe(
    'The most requests in one window (or units, if requests have a `cost`): one number for every credential, or one for each credential that you name. Other credentials do not count against the quota.',
  ),
  window: span.describe(
    'How long requests count: `1s` to `31d`. quotaspec spends a window of an hour or more only with `--long-windows`.',
  ),
  requests: z
    .array(z.string())
    .min(1, {
      error: 'needs at least one request, such as [items]: a quota that nothing counts against cannot be tested',
    })
    .describe(
      'The requests that count against the quota together. Loads send the first, or several in turn if other quotas let no single one spend it.',
    ),
  models: formsOf(
    [
      z.literal('any'),
      oneOrMore(z.enum(modelNames).meta({ title: 'a model' }), `must be any, or some of ${modelNames.join(', ')}`),
    ],
    `must be any, or some of ${modelNames.join(', ')}`,
  )
    .prefault('any')
    .describe(
      'The permitted ways of counting, one of which must explain what the run sees. Fewer models make a stricter contract.',
    ),
  burst: maybe(
    count,
    'The size of the bucket, if it is not the limit: 40 with a limit of 2 and a window of `1s`. Needs `models` with only `token-bucket` or `gcra`.',
  ),
  exact: exact
    .prefault(true)
    .describe(
      'How exact the API promises to be. `true`: not one request too many, and not one too few. `at-most` may refuse early, `at-least` may admit too many. Or a tolerance, in shares of the limit (of the `burst`, if there is one); the report says that this is weaker.',
    ),
  cost: maybe(z.record(z.string(), count), 'What each request costs, by default 1: `{search: 5}`.'),
  level: level.default('must').describe('How serious a breach is.'),
  policy: maybe(
    z.string().regex(/^[ -~]+$/, { error: 'must be the name of a policy, in printable ASCII' }),
    'The name of its policy in headers. Default: the policy with the same window.',
  ),
})

/** How to recognise a refusal, as written in the file. */
const refusalEntry = z.strictObject({
  is: z
    .enum(['quota', 'ban'], {
      error: 'must be quota or ban; a block for a fixed time is one of them with lasts: 5m',
    })
    .describe('`quota`: the request was one too many. `ban`: the API refuses every request of the caller for a time.'),
  status: oneOrMore(status, 'must be a status such as 429, or a list of some').describe(
    'The status of such a refusal, or a list of them.',
  ),
  when: maybe(
    z.record(headerName, z.union([z.string(), z.number(), z.boolean()], { error: 'must be text' })),
    "Headers that it must have, with exactly these values: `{x-ratelimit-remaining: '0'}`.",
  ),
  body: maybe(z.string().min(1), 'A text that its body must contain.'),
  lasts: maybe(
    span,
    'How long the caller is refused at most: `5m`. The time starts with the first such refusal, and refusals during it do not extend it. With `is: quota` this is a block, with `is: ban` the ban.',
  ),
  atLeast: maybe(
    span,
    'How long it lasts at least, if the length varies: `4s` beside `lasts: 5s` for a block that ends on a whole second.',
  ),
})

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const path = z
  .string()
  .startsWith('/', { error: 'must begin with a slash; it is below the base address of the run' })
  .regex(/^[!-~]*$/, { error: 'must be printable ASCII without spaces: write %20 and the like' })
  .regex(/^[^#]*$/, { error: 'must not contain a #: clients never send what follows it' })
  .regex(/^(?!\/\/)/, { error: 'must begin with one slash: two would name another host' })
  .regex(/^[^{}]*$/, { error: 'has a {parameter} in it: write the value itself' })
  .refine((text) => !/(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(text), { error: 'must not contain . or .. as a segment' })
  .describe('The path below the base address, with the query.')

const printable = z.string().regex(/^[\t -~]*$/, { error: 'must be printable ASCII, on one line' })

/** A request that counts, as written in the file: in full, or as an operation of the OpenAPI document. */
const requestEntry = z
  .strictObject({
    method: maybe(z.enum(methods), 'Default: `GET`. A method that may change something needs `safe: true`.'),
    path: path.optional(),
    operation: maybe(
      z.string().min(1),
      'Instead of `method` and `path`: the `operationId` of an operation in the `openapi` document.',
    ),
    parameters: maybe(
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()], { error: 'must be text or a number' })),
      "Values of the operation's parameters (path, query and headers), by name.",
    ),
    headers: maybe(
      z.record(headerName, printable),
      "Further headers of the request, beside the credential's: `{Accept: application/json}`.",
    ),
    body: maybe(
      z.string({ error: 'must be text: put JSON in quotes, or after a |' }),
      'The body of the request, sent unchanged. Name its `Content-Type` in `headers`.',
    ),
    expect: oneOrMore(status, 'must be a status such as 200, or a list of some')
      .optional()
      .describe('The status of a served answer, or a list of them. Default: any 2xx.'),
    safe: flag(
      'Confirms that a `POST`, `PUT`, `PATCH` or `DELETE` changes nothing, however often it is sent: a search, or the deletion of something that does not exist.',
    ).optional(),
  })
  .refine((request) => request.path !== undefined || request.operation !== undefined, {
    error: 'needs a path, such as path: /items, or an operation of the openapi document',
  })
  .refine(
    (request) => request.operation === undefined || (request.path === undefined && request.method === undefined),
    {
      error: 'names an operation, so remove path and method: the openapi document has them',
    },
  )
  .meta({ oneOf: [{ required: ['path'] }, { required: ['operation'], not: { required: ['method'] } }] })

/** The version of the file that this schema reads. */
const version = 1

/** A contract file: what an API promises about its quotas, on one page written by its owner. */
export const contractFileSchema = z.strictObject({
  $schema: text('Where editors find this schema; quotaspec ignores it.').optional(),
  quotaspec: z
    .literal(version, { error: `must be ${version}, the version of the file: write quotaspec: ${version}` })
    .describe('The version of the file: 1.'),
  name: givenName.describe('The name of the API.'),
  description: text('For people.').optional(),
  openapi: maybe(
    z.string().min(1),
    'The path of an OpenAPI 3.0 or 3.1 document, relative to this file. Requests may then name its operations.',
  ),
  credentials: z
    .record(givenName, credentialEntry.describe('One caller.'))
    .describe('The callers, by names that you choose: plans, users or whatever the API distinguishes.'),
  requests: z
    .record(givenName, requestEntry.describe('One request.'))
    .describe('Cheap requests that change nothing, by names that you choose; at least one for each quota.'),
  headers: headersEntry
    .default('none')
    .describe('The headers that show quotas: a preset, or a list of headers. Default: `none`.'),
  retryAfter: retryAfterEntry.prefault('none').describe('What refusals promise in Retry-After. Default: `none`.'),
  backoff: maybe(
    z.union([z.literal('none'), level], { error: 'must be one of must, should, observe or none' }),
    'How serious it is if the API bans, or never serves, clients that wait as told and back off. `none` promises them nothing. Default: the most serious level of the quotas.',
  ),
  refusals: z
    .array(refusalEntry.describe('One rule.'))
    .min(1, { error: 'is an empty list: leave it out if every refusal is a 429' })
    .prefault([{ is: 'quota', status: 429 }])
    .describe('Rules that recognize refusals; the first that fits an answer applies. Default: any 429 is a refusal.'),
  quotas: z
    .array(quotaEntry.describe('One quota.'))
    .min(1, { error: 'needs at least one quota' })
    .describe('The promised quotas.'),
  events: maybe(
    z.record(givenName, eventPromise.describe('One event.')),
    'What each event of a scenario may do, by its name: `{restart: {mayAdmit: one-more-limit}}`. quotaspec only reports events that you do not name.',
  ),
})

export type ContractFileInput = z.input<typeof contractFileSchema>

export type ContractFile = z.output<typeof contractFileSchema>
