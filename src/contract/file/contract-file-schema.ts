import { z } from 'zod'
import { credentialEntry } from './credential-schema.js'
import { headersEntry, retryAfterEntry } from './header-schema.js'
import { givenName } from './measures.js'
import { quotaEntry } from './quota-schema.js'
import { refusalEntry } from './refusal-schema.js'
import { requestEntry } from './request-schema.js'

/** The version of the file that this schema reads. */
const version = 1

/** A contract file: what an API promises of its quotas, on a page that its owner writes. */
export const contractFileSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema; nothing else reads it.'),
  quotaspec: z
    .literal(version, { error: `has to be ${version}, the version of the file: write quotaspec: ${version}` })
    .describe('The version of the file: 1.'),
  name: givenName.describe('The name of the API.'),
  description: z.string().optional().describe('For people.'),
  openapi: z
    .string()
    .min(1)
    .optional()
    .describe('An OpenAPI 3.0 or 3.1 document, by its path from this file: then requests may name its operations.'),
  credentials: z
    .record(givenName, credentialEntry.describe('One caller.'))
    .describe('Who calls, by names of your own. They stand for what plans or users are to the API.'),
  requests: z
    .record(givenName, requestEntry.describe('One request.'))
    .describe('Cheap requests that change nothing, by names of your own: at least one for each quota.'),
  headers: headersEntry
    .default('none')
    .describe('What answers tell of quotas: a preset, or a list of fields. `none` where it is not said.'),
  retryAfter: retryAfterEntry
    .prefault('none')
    .describe('What refusals promise in Retry-After. `none` where it is not said.'),
  refusals: z
    .array(refusalEntry.describe('One rule.'))
    .min(1, { error: 'is an empty list: leave it out where a refusal is a 429' })
    .prefault([{ is: 'quota', status: 429 }])
    .describe('How refusals are told from other answers: the first that fits. Any 429 is one where it is not said.'),
  quotas: z
    .array(quotaEntry.describe('One quota.'))
    .min(1, { error: 'needs at least one quota' })
    .describe('What is promised.'),
})

/** The same as it is written. */
export type ContractFileInput = z.input<typeof contractFileSchema>

export type ContractFile = z.output<typeof contractFileSchema>
