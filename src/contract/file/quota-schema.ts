import { z } from 'zod'
import { modelNames } from '../limiter-models.js'
import { formsOf, givenName, level, oneOrMore, share, span } from './measures.js'

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
        .describe('How much of the limit may be admitted beyond it: `5%`. `any` promises nothing.'),
      early: formsOf([share, notPromised], 'has to be a share such as 2%, or any')
        .prefault('0%')
        .describe('How much of the limit may be refused although it is left: `2%`. `any` promises nothing.'),
    }),
  ],
  'has to be true, at-most, at-least, or a tolerance such as {over: 5%, early: 2%}',
)

/** A quota, as the file has it. */
export const quotaEntry = z.strictObject({
  id: givenName.describe('Its name in the report.'),
  by: z
    .enum(['credential', 'address', 'credential+request'])
    .default('credential')
    .describe(
      'What has a count of its own: each credential; the address that requests come from, whatever they show; or each request of each credential.',
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
  burst: count
    .optional()
    .describe(
      'What a bucket holds, where that is not the limit: 40 with a limit of 2 and a window of `1s`. Needs `models` with `token-bucket` or `gcra` alone.',
    ),
  exact: exact
    .prefault(true)
    .describe(
      'How exact it is meant to be. `true`: not one too many, and not one too few. `at-most` may refuse early, `at-least` may admit too many. Else it is held to its tolerance, in shares of the limit, and told as weaker.',
    ),
  cost: z
    .record(z.string(), count)
    .optional()
    .describe('What each request costs; 1 where it is not named: `{search: 5}`.'),
  level: level.default('must').describe('How grave it is when it is broken.'),
  policy: z
    .string()
    .regex(/^[ -~]+$/, { error: 'has to be the name of a policy, in printable ASCII' })
    .optional()
    .describe('The name that its policy has in headers; where it is not said, the one whose window is its own.'),
})
