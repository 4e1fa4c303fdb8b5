import { z } from 'zod'
import { headerName, oneOrMore, span, status } from './measures.js'

/** How a refusal is told from an answer, as the file has it. */
export const refusalEntry = z.strictObject({
  is: z
    .enum(['quota', 'ban'], {
      error: 'has to be quota or ban; a block for a fixed time is one of them with lasts: 5m',
    })
    .describe('`quota`: the request was one too many. `ban`: the caller is shut out for a time, whatever it asks for.'),
  status: oneOrMore(status, 'has to be a status such as 429, or a list of some').describe(
    'The status, or statuses, that it comes with.',
  ),
  when: z
    .record(headerName, z.union([z.string(), z.number(), z.boolean()], { error: 'has to be a text' }))
    .optional()
    .describe("Headers that it has to have with just these values: `{x-ratelimit-remaining: '0'}`."),
  body: z.string().min(1).optional().describe('A text that has to be somewhere in its body.'),
  lasts: span
    .optional()
    .describe(
      'How long whoever got it is shut out, where that is always as long: `5m`. Of a `quota` it is a block that each refusal begins, of a `ban` the ban.',
    ),
})
