import { z } from 'zod'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { checkYaml, lineIn, readYaml, yamlFileOf } from '../../kit/yaml-file.js'
import { gatesSchema } from './gates.js'

/** What the scenario may do to a target at most. */
const limitsSchema = z.strictObject({
  mostRequests: z
    .int()
    .min(1)
    .optional()
    .describe('The most requests in total, over all keys. A run that would need more is refused before it begins.'),
  mostRequestsPerSecond: z
    .number()
    .min(0.01)
    .max(1_000_000)
    .optional()
    .describe('The most requests in a second, over all keys.'),
  mostServerErrorPercent: z
    .number()
    .min(0)
    .max(100)
    .default(50)
    .describe('A load ends where more than this share of its answers are 5xx, in percent.'),
})

const probeEntry = z.looseObject({ probe: z.string() })

/** A scenario file: which probes to play, in which order, with which settings, and what has to come out. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema; nothing else reads it.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'has to be lower-case letters, digits and hyphens' })
    .describe('Its name in reports: lower-case letters, digits and hyphens.'),
  description: z.string().describe('What it asks, for people.'),
  probes: z
    .array(probeEntry)
    .min(1, { error: 'needs at least one probe' })
    .describe('What to play, in this order: each by its name, with its settings beside it.'),
  strict: z.boolean().default(false).describe('Fail on clauses of the level `should` too, as `--strict` does.'),
  limits: limitsSchema.optional().describe('What the run may do to a target at most.'),
  gates: gatesSchema.optional().describe('What has to come out besides: the most that figures may be.'),
})

type Scenario = z.infer<typeof scenarioSchema>

/** What is known of the probes that a scenario may name: their settings, each with its schema. */
type KnownProbes = ReadonlyMap<string, z.ZodObject>

export interface LoadedScenario extends Scenario {
  readonly file: string
}

/**
 * Reads a scenario by its name or path and checks every field of it, the settings of each probe included.
 * Throws a {@link UsageError} that names file, line and field.
 *
 * @param where what stands before the error where there is no such scenario: the place that names it.
 */
export const loadScenario = (nameOrPath: string, folder: string, known: KnownProbes, where = ''): LoadedScenario => {
  const place = readYaml(yamlFileOf(nameOrPath, folder, 'scenario', where), 'a scenario')
  const scenario = checkYaml(place, scenarioSchema, place.value, [])
  const probes = scenario.probes.map(({ probe, ...settings }, index) => {
    const schema = known.get(probe)
    if (!schema) {
      throw new UsageError(
        `${lineIn(place, ['probes', index, 'probe'])}: probes.${index}.probe: there is no probe ${probe}: ${suggestion(probe, [...known.keys()])}`,
      )
    }
    return { probe, ...checkYaml(place, schema, settings, ['probes', index]) }
  })
  return { ...scenario, probes, file: place.file }
}
