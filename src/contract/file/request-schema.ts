import { z } from 'zod'
import { headerName, oneOrMore, status } from './measures.js'

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

const text = z.string().regex(/^[\t -~]*$/, { error: 'has to be printable ASCII, on one line' })

/** A request that counts, as the file has it: written out, or an operation of the OpenAPI document. */
export const requestEntry = z
  .strictObject({
    method: z
      .enum(methods)
      .optional()
      .describe('`GET` where it is not said. One that may change something needs `safe: true`.'),
    path: path.optional(),
    operation: z
      .string()
      .min(1)
      .optional()
      .describe('In place of `method` and `path`: the `operationId` of an operation of the `openapi` document.'),
    parameters: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()], { error: 'has to be a text or a number' }))
      .optional()
      .describe("Values of the operation's parameters in the path, the query and headers, by name."),
    headers: z
      .record(headerName, text)
      .optional()
      .describe('Sent with it, besides those of the credential: `{Accept: application/json}`.'),
    body: z
      .string({ error: 'has to be a text: put JSON in quotes, or after a |' })
      .optional()
      .describe('Sent with it as it stands; say its `Content-Type` among the `headers`.'),
    expect: oneOrMore(status, 'has to be a status such as 200, or a list of some')
      .optional()
      .describe('The status, or statuses, of an answer that was served; any 2xx where it is not said.'),
    safe: z
      .boolean()
      .optional()
      .describe(
        'Says that a `POST`, `PUT`, `PATCH` or `DELETE` changes nothing, however often it is sent: a search, or the deletion of what is not there.',
      ),
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
