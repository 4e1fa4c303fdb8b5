import { z } from 'zod'
import { givenName } from '../../contract/file/measures.js'
import { variableName } from '../../kit/variable-name.js'
import { gatesSchema } from './gates.js'

const path = z.string().min(1)

const target = z
  .string()
  .regex(/^https?:\/\/[^\s/]+\S*$/, { error: 'has to be an address such as https://staging.example/v1' })
  .regex(/^[^?#]*$/, { error: 'must hold no query and no fragment' })
  .meta({ title: 'an address' })

const names = z.array(z.string().min(1))

const limit = z.int().min(1)

const quotas = z.strictObject({
  enterprise: z
    .strictObject({
      minute: limit.describe('The most requests in a minute.'),
      day: limit.describe('The most requests in a day.'),
    })
    .optional()
    .describe('The quota that was agreed for the plan Enterprise.'),
})

const mostSeconds = 86_400
const seconds = z.number().min(0.01).max(mostSeconds)

const timeouts = z.strictObject({
  connect: seconds.optional().describe('Seconds that connecting may take, TLS included; 5 where it is not said.'),
  head: seconds.optional().describe('Seconds that the head of an answer may take; 10 where it is not said.'),
  body: seconds.optional().describe('Seconds that its body may take; 30 where it is not said.'),
  run: seconds
    .optional()
    .describe('Seconds that the run may take; twice its planned time and a minute where it is not said.'),
})

const what = {
  target: target.optional().describe('The base address of the target; that of a Petstore interface ends with /v1.'),
  contract: path
    .optional()
    .describe('A contract file by its path, or one of the examples by its name: the quotas of your own API.'),
  scenario: path.optional().describe('A scenario by its name or its path. `release-gate` where it is not said.'),
  keys: z
    .record(givenName, variableName)
    .optional()
    .describe(
      'The variables of the environment that hold the keys, by plan, or by credential of the contract: `{free: ACME_KEY_FREE}`. A plan that is not named takes its key from `QUOTASPEC_KEY_FREE` and its like, a credential from the variable that the contract names. The keys themselves never stand in the file.',
    ),
  quotas: quotas.optional().describe('Quotas that were agreed.'),
  out: path.optional().describe('The folder for the journal and the reports. `reports/latest` where it is not said.'),
}

const judging = {
  gates: gatesSchema
    .optional()
    .describe(
      'What has to come out: the most that figures may be, as in a scenario. A gate here goes before the same one of the scenario; the others stay.',
    )
    .meta({ title: 'the gates of a scenario' }),
  strict: z.boolean().optional().describe('Whether to fail on clauses of the level `should` too.'),
  only: names.optional().describe('Clauses, areas or checks to judge, and no others.'),
  skip: names.optional().describe('Clauses, areas or checks to leave out.'),
  waivers: path.optional().describe('A file of known failures, by its path.'),
}

const harm = {
  allowLoad: z
    .boolean()
    .optional()
    .describe(
      'Whether load may go to an address that is not this machine. It counts for the `target` of its own section, and for that of the file in a section that names none: never for another.',
    ),
  withoutLoad: z.boolean().optional().describe('Whether to play only what takes no load: ends with 2.'),
  readOnly: z.boolean().optional().describe('Whether to send no PATCH that could succeed.'),
  withoutRejectedKeys: z
    .boolean()
    .optional()
    .describe('Whether to go on without a key that the target does not accept: ends with 2.'),
  longWindows: z
    .boolean()
    .optional()
    .describe('Whether to spend quotas of a contract whose window is an hour or longer too.'),
  timeouts: timeouts.optional().describe('How long each step may take.'),
  ca: path.optional().describe("A PEM file of certificates to trust besides the system's, by its path."),
  timeScale: z
    .number()
    .min(0.001)
    .max(10_000)
    .optional()
    .describe('Divides every window, for tests: at 10 a minute lasts 6 s. 1 where it is not said.'),
}

/** What a run needs to know, at the top of the file or for one environment. */
const section = z.strictObject({ ...what, ...judging, ...harm })

/** A configuration file: the flags of `run` and `plan`, written down once, and once more for each environment. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema; nothing else reads it.'),
  ...section.shape,
  environments: z
    .record(givenName, section.describe('One environment.').meta({ title: 'the fields of the file' }))
    .optional()
    .describe(
      'What is different in each environment, by names of your own: `--env staging` takes the one of that name. What it does not say is as the file says it, field by field, key by key, gate by gate.',
    ),
})

/** What a section of the file says. */
export type ConfigSection = z.output<typeof section>
export type ConfigFile = z.output<typeof configSchema>
