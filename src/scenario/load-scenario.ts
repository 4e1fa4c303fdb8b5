import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { z } from 'zod'
import { suggestion } from '../kit/suggestion.js'
import { UsageError } from '../kit/usage-error.js'
import { type Scenario, scenarioSchema } from './scenario.js'
import { checkYaml, lineIn, readYaml } from './yaml-file.js'

/** What is known of the probes that a scenario may name: their settings, each with its schema. */
export type KnownProbes = ReadonlyMap<string, z.ZodObject>

export interface LoadedScenario extends Scenario {
  readonly file: string
}

/** The scenarios that come with quotaspec, by name. */
const bundledScenarios = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()

const fileOf = (nameOrPath: string, folder: string): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  const names = bundledScenarios(folder).join(', ')
  throw new UsageError(`there is no scenario ${nameOrPath}: give the path of a YAML file, or one of ${names}`)
}

/**
 * Reads a scenario by its name or path and checks every field of it, the settings of each probe included.
 * Throws a {@link UsageError} that names file, line and field.
 */
export const loadScenario = (nameOrPath: string, folder: string, known: KnownProbes): LoadedScenario => {
  const place = readYaml(fileOf(nameOrPath, folder), 'a scenario')
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
