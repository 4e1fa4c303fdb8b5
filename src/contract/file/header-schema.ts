import { z } from 'zod'
import { fieldMeanings, resetUnits } from '../api-contract.js'
import { presetNames } from '../header-presets.js'
import { formsOf, headerName, level, oneOrMore } from './measures.js'

const preset = z.enum(presetNames).meta({ title: 'a preset' })

const field = z
  .strictObject({
    name: headerName.describe('The name of the header; letter case does not matter.'),
    is: z
      .enum(fieldMeanings)
      .describe(
        'What it says: the `limit`, what is `remaining` or `used`, both as `used/limit` (`32/40`), the moment of the `reset`, policies such as `60;w=60` as `policy`; `draft-07`, `draft-11` and their `-policy` are the fields of the IETF drafts.',
      ),
    as: z
      .enum(resetUnits)
      .optional()
      .describe(
        'How a `reset` writes its moment; nothing else has it. `epoch-s` and `epoch-ms` count from 1970, `delta-s` and `delta-ms` from the answer; `duration` is `6m0s`.',
      ),
    of: z
      .string()
      .optional()
      .describe('The id of the quota of which it tells, where there are several and it shows only that one.'),
    level: level
      .default('must')
      .describe('How grave it is when it is absent or wrong; `observe` only reports what it says.'),
  })
  .refine(({ is, as }) => is !== 'reset' || as !== undefined, {
    error: `is a reset, so it has to say how it is written: add as: with one of ${resetUnits.join(', ')}`,
    path: ['is'],
  })
  .refine(({ is, as }) => is === 'reset' || as === undefined, {
    error: 'belongs to is: reset alone: leave it out',
    path: ['as'],
  })

/** What of an answer tells of quotas, as the file has it. */
export const headersEntry = formsOf(
  [
    preset,
    z.strictObject({
      preset: preset.describe('The name of the preset.'),
      level: level.optional().describe('In place of its own: `should` for the IETF drafts, `must` for the others.'),
    }),
    z.array(field).min(1, { error: 'is an empty list: write headers: none where there is nothing to read' }),
  ],
  `has to be one of ${presetNames.join(', ')}, or a list of fields such as - {name: X-Shop-Limit, is: used/limit}`,
)

/** How a refusal says how long to wait, as the file has it. */
export const retryAfterEntry = formsOf(
  [
    z.literal('none'),
    z.strictObject({
      as: oneOrMore(z.enum(['seconds', 'http-date']), 'has to be seconds, http-date, or [seconds, http-date]')
        .prefault(['seconds', 'http-date'])
        .describe('The forms in which it may come. RFC 9110 knows these two.'),
      level: level.default('must').describe('How grave it is when a refusal has none, or one that is not kept.'),
    }),
  ],
  'has to be none, or {as: seconds, level: must}',
)
