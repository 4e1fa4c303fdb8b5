import { basename, extname } from 'node:path'
import { z } from 'zod'
import { amount, maybe, plainName } from '../../kit/described.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { checkYaml, readYaml, refusalAt, yamlFileOf } from '../../kit/yaml-file.js'
import { gatesSchema } from './gates.js'

const limitsSchema = z.strictObject({
  mostRequests: maybe(
    z.int().min(1),
    'The most requests in total, over all keys. quotaspec refuses to start a run that may need more.',
  ),
  mostRequestsPerSecond: maybe(z.number().min(0.01).max(1_000_000), 'The most requests per second, over all keys.'),
  mostServerErrorPercent: amount(
    0,
    100,
    50,
    'A load ends early if more than this share of its answers are 5xx, in percent.',
  ),
})

const mostEventMs = 600_000

const eventEntry = z.strictObject({
  during: z
    .string()
    .describe('The probe during whose load the command runs: in the first of its loads that gets that far.'),
  plan: maybe(z.string(), "Only in the load on this plan's key, or on this credential of a contract file."),
  at: z.number().min(0).lt(1).describe('The share of the load after which it runs: 0.5 is after half of its requests.'),
  run: z
    .array(z.string().min(1))
    .min(1, { error: 'needs a command, such as [./restart.sh]' })
    .describe(
      'The command and its arguments, run without a shell in the working directory. It must end by itself, with 0, once the target is in the state that you want.',
    ),
  name: maybe(
    plainName,
    'Its name in reports and contract files. Default: the file name of its command, such as `restart`.',
  ),
  within: amount(
    0.1,
    mostEventMs / 1000,
    30,
    'The most seconds that the command may take. If it takes longer, quotaspec ends it and the run.',
  ),
})

/** An event, with its defaults filled in. */
export type ScenarioEvent = Readonly<Omit<z.output<typeof eventEntry>, 'name' | 'within'>> & {
  readonly name: string
  readonly withinMs: number
}

/** `restart` of `./bin/Restart.sh`. */
const nameOfCommand = (command: string): string => {
  const name = basename(command, extname(command))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return name.replaceAll(/^-+|-+$/g, '') || 'event'
}

const probeEntry = z.looseObject({ probe: z.string() })

/** A scenario file: which probes to play, in which order and with which settings, and the gates to pass. */
export const scenarioSchema = z.strictObject({
  $schema: maybe(z.string(), 'Where editors find this schema; quotaspec ignores it.'),
  name: plainName.describe('Its name in reports: lower-case letters, digits and hyphens.'),
  description: z.string().describe('What the scenario tests, for people.'),
  probes: z
    .array(probeEntry)
    .min(1, { error: 'needs at least one probe' })
    .describe('The probes to play, in this order: the name of each, with its settings beside it.'),
  strict: z.boolean().default(false).describe('Fail on clauses of the level `should` too, as `--strict` does.'),
  limits: maybe(limitsSchema, 'Limits on what the run may send to a target.'),
  events: maybe(
    z.array(eventEntry),
    'Commands that quotaspec runs in the middle of loads: a restart, a reload, a stopped store. It judges the time before and after each separately, and reports what the event did.',
  ),
  gates: maybe(gatesSchema, 'Further conditions of a pass: upper bounds for figures.'),
})

/** Reads a scenario by name or path; a {@link UsageError} that begins with `where` if there is none. */
export const loadScenario = (
  nameOrPath: string,
  folder: string,
  known: ReadonlyMap<string, z.ZodObject>,
  where = '',
) => {
  const place = readYaml(yamlFileOf(nameOrPath, folder, 'scenario', where), 'a scenario')
  const scenario = checkYaml(place, scenarioSchema, place.value, [])
  const probes = scenario.probes.map(({ probe, ...settings }, index): z.infer<typeof probeEntry> => {
    const schema = known.get(probe)
    if (!schema) {
      const why = `there is no probe ${probe}: ${suggestion(probe, [...known.keys()])}`
      throw refusalAt(place, ['probes', index, 'probe'], why)
    }
    return { probe, ...checkYaml(place, schema, settings, ['probes', index]) }
  })
  const events = (scenario.events ?? []).map(({ name, within, ...event }, index): ScenarioEvent => {
    if (probes.some(({ probe }) => probe === event.during))
      return { ...event, name: name ?? nameOfCommand(event.run[0]), withinMs: within * 1000 }
    const played = probes.map(({ probe }) => probe)
    const why = `the scenario plays no probe ${event.during}: ${suggestion(event.during, played)}`
    throw refusalAt(place, ['events', index, 'during'], why)
  })
  return { ...scenario, probes, events, file: place.file }
}

export type LoadedScenario = ReturnType<typeof loadScenario>
