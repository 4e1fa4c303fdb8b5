import { z } from 'zod'
import { givenName } from '../../contract/file/measures.js'
import { maybe } from '../../kit/described.js'
import { variableName } from '../../kit/yaml-file.js'
import { gatesSchema } from './gates.js'
import { readAddress } from './target.js'

export const usual = { scenario: 'release-gate', out: 'reports/latest', timeScale: 1 } as const

const path = z.string().min(1)

const target = z
  .string()
  .regex(/^https?:\/\/[^\s/]+\S*$/, { error: 'must be an address such as https://staging.example/v1' })
  .regex(/^[^?#]*$/, { error: 'must not have a query or a fragment' })
  .meta({ title: 'an address' })

const names = z.array(z.string().min(1))

const limit = z.int().min(1)

const quotas = z.strictObject({
  enterprise: maybe(
    z.strictObject({
      minute: limit.describe('The most requests in a minute.'),
      day: limit.describe('The most requests in a day.'),
    }),
    'The agreed quota of the plan Enterprise.',
  ),
})

const mostSeconds = 86_400
const notSeconds = { error: `must be a number of seconds, from 0.01 to ${mostSeconds}: 10 is ten seconds` }
const seconds = z.number().min(0.01, notSeconds).max(mostSeconds, notSeconds)

const timeouts = z.strictObject({
  connect: maybe(seconds, 'Seconds to connect, TLS included. Default: 5.'),
  head: maybe(seconds, 'Seconds to wait for response headers. Default: 10.'),
  body: maybe(seconds, 'Seconds to wait for the body of a response. Default: 30.'),
  run: maybe(
    seconds,
    'Seconds for the whole run. Default: three times the planned time, the time for repeats, and a minute.',
  ),
})

const notScale = { error: 'must be a number above 0, up to 10000: 10 makes a minute last 6 s' }
const timeScale = z.number().min(0.001, notScale).max(10_000, notScale)

const notSeed = { error: 'must be a whole number from 0 to 2147483647' }
const seed = z
  .number()
  .int(notSeed)
  .min(0, notSeed)
  .max(2 ** 31 - 1, notSeed)

const what = {
  target: maybe(target, 'The base address of the target; for the Petstore it ends with /v1.'),
  contract: maybe(path, 'The contract file with the quotas of your own API: its path, or the name of an example.'),
  scenario: maybe(path, 'The scenario: its name or its path. Default: `release-gate`.'),
  keys: maybe(
    z.record(givenName, variableName),
    'The environment variables that hold the keys, by plan, or by credential of the contract: `{free: ACME_KEY_FREE}`. Without an entry, a plan takes its key from `QUOTASPEC_KEY_FREE` and so on, and a credential from the variable that the contract names. Never write a key itself into the file.',
  ),
  quotas: maybe(quotas, 'Agreed quotas.'),
  out: maybe(path, 'The folder for the journal and the reports. Default: `reports/latest`.'),
}

const judging = {
  gates: gatesSchema
    .optional()
    .describe(
      'Upper bounds for figures, as in a scenario. A gate here replaces the same gate of the scenario; the others stay.',
    )
    .meta({ title: 'the gates of a scenario' }),
  strict: maybe(z.boolean(), 'Whether to fail on clauses of the level `should` too.'),
  only: maybe(names, 'Clauses, areas or checks to judge, and no others.'),
  skip: maybe(names, 'Clauses, areas or checks to leave out.'),
  waivers: maybe(path, 'The path of a file of known failures.'),
}

const harm = {
  allowLoad: maybe(
    z.boolean(),
    'Whether load may go to an address that is not this machine. It applies only to the `target` of its own section, or, if the section names none, to that of the file.',
  ),
  withoutLoad: maybe(z.boolean(), 'Whether to play only probes without load: the run ends with 2.'),
  readOnly: maybe(z.boolean(), 'Whether to send no PATCH that could succeed.'),
  withoutRejectedKeys: maybe(
    z.boolean(),
    'Whether to continue without a key that the target rejects: the run ends with 2.',
  ),
  longWindows: maybe(z.boolean(), 'Whether to test quotas with windows of an hour or longer, too.'),
  timeouts: maybe(timeouts, 'How long each step may take.'),
  ca: maybe(path, "A PEM file of certificates to trust in addition to the system's, by its path."),
  timeScale: maybe(timeScale, 'Divides every window, for tests: at 10 a minute lasts 6 s. Default: 1.'),
}

/** The run options in a configuration file, at its top level or for one environment. */
export const sectionSchema = z.strictObject({ ...what, ...judging, ...harm })
const notSecret = { error: 'must be a secret, or a list of secrets' }
const secrets = z.union([z.string().min(1, notSecret), z.array(z.string().min(1, notSecret), notSecret)], notSecret)
const typedKeys = z.array(z.object({ name: z.string(), secret: z.string() }))

/** The secret given for a plan or for a credential of the contract. */
export type GivenSecret = z.output<typeof typedKeys>[number]

const listed = (keys: readonly GivenSecret[] | Readonly<Record<string, string | readonly string[]>>): GivenSecret[] =>
  Array.isArray(keys)
    ? keys
    : Object.entries(keys).flatMap(([name, each]) => [each].flat().map((secret) => ({ name, secret })))

const baseAddress = z
  .string({ error: 'is missing: give the base address, such as http://127.0.0.1:8080/v1' })
  .transform((text, context) => {
    const read = readAddress(text)
    if ('baseUrl' in read) return read.baseUrl
    context.addIssue({ code: 'custom', message: read.why })
    return z.NEVER
  })

const off = z.boolean().default(false)

/** Every option of a run, from flags, a configuration file or a program. */
export const runOptionsSchema = z.strictObject({
  target: baseAddress,
  contract: z
    .union([path, z.record(z.string(), z.unknown())], {
      error: 'must be the path of a contract file, or its content',
    })
    .optional(),
  scenario: path.default(usual.scenario),
  keys: z
    .union([typedKeys, z.record(z.string(), secrets)])
    .default([])
    .transform(listed),
  /** Lines of PLAN=SECRET. */
  keyFile: path.optional(),
  /** The environment variables that hold keys, by plan or by credential of the contract. */
  keyVariables: z.record(z.string(), z.string()).default({}),
  quotas: quotas.default({}),
  out: path.default(usual.out),
  gates: gatesSchema.optional(),
  strict: off,
  only: names.default([]),
  skip: names.default([]),
  /** Probes to play in addition to those that `only` needs. */
  with: names.default([]),
  waivers: path.optional(),
  allowLoad: off,
  withoutLoad: off,
  readOnly: off,
  withoutRejectedKeys: off,
  longWindows: off,
  timeouts: timeouts.default({}),
  ca: path.optional(),
  insecure: off,
  timeScale: timeScale.default(usual.timeScale),
  seed: seed.optional(),
  /** The agents that send the loads: how many of each group. */
  agents: z.array(z.object({ group: z.string(), count: z.int() })).default([]),
})

export type RunOptions = Readonly<z.output<typeof runOptionsSchema>>
/** Options as given, before defaults are filled in. */
export type GivenOptions = Partial<z.input<typeof runOptionsSchema>>
