import type { z } from 'zod'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { checkYaml, lineIn, readYaml, yamlFileOf } from '../../kit/yaml-file.js'
import { type Scenario, scenarioSchema } from './scenario.js'

/** What is known of the probes that a scenario may name: their settings, each with its schema. */
export type KnownProbes = ReadonlyMap<string, z.ZodObject>

export interface LoadedScenario extends Scenario {
  readonly file: string
}

/**
 * Reads a scenario by its name or path and checks every field of it, the settings of each probe included.
 * Throws a {@link UsageError} that names file, line and field.
 */
export const loadScenario = (nameOrPath: string, folder: string, known: KnownProbes): LoadedScenario => {
  const place = readYaml(yamlFileOf(nameOrPath, folder, 'scenario'), 'a scenario')
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
