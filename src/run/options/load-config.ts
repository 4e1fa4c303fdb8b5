import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listInWords } from '../../kit/list-in-words.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { checkYaml, lineIn, readYaml, refusalAt, type YamlFile } from '../../kit/yaml-file.js'
import { type ConfigFile, type ConfigSection, configSchema } from './config-schema.js'
import { mergedSections } from './merge-sections.js'
import { refuseSecrets } from './secret-forms.js'

/** What a configuration file says for a run, its environment taken into account. */
export interface Configuration extends ConfigSection {
  readonly file: string
  readonly environment?: string
  /** The environments that the file has. */
  readonly environments: readonly string[]
  /** `quotaspec.yaml:7` of what a path leads to, in the environment or else at the top; undefined where nothing is. */
  placeOf(...path: readonly string[]): string | undefined
}

/** A name of something that comes with quotaspec stays one; a path leads from the file, not from where one stands. */
const fromFile = (file: string, nameOrPath: string | undefined, mayBeName = false): string | undefined =>
  nameOrPath === undefined || (mayBeName && /^[\w-]+$/.test(nameOrPath)) ? nameOrPath : join(dirname(file), nameOrPath)

const withPaths = (file: string, section: ConfigSection): ConfigSection => ({
  ...section,
  contract: fromFile(file, section.contract, true),
  scenario: fromFile(file, section.scenario, true),
  out: fromFile(file, section.out),
  waivers: fromFile(file, section.waivers),
  ca: fromFile(file, section.ca),
})

const refuseContradiction = (place: YamlFile, path: readonly string[], section: ConfigSection): void => {
  if (section.allowLoad && section.withoutLoad)
    throw refusalAt(place, [...path, 'withoutLoad'], 'contradicts allowLoad: leave one of the two out')
}

const read = (file: string): { place: YamlFile; config: ConfigFile } => {
  if (!existsSync(file) || !statSync(file).isFile()) throw new UsageError(`--config ${file}: there is no such file`)
  const place = readYaml(file, 'a configuration')
  refuseSecrets(place)
  const config = checkYaml(place, configSchema, place.value, [])
  refuseContradiction(place, [], config)
  for (const [name, section] of Object.entries(config.environments ?? {}))
    refuseContradiction(place, ['environments', name], section)
  return { place, config }
}

const environmentOf = (file: string, { environments = {} }: ConfigFile, name: string): ConfigSection => {
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined
  if (found) return found
  const names = Object.keys(environments)
  if (names.length === 0) throw new UsageError(`--env ${name}: ${file} has no environments: leave --env out`)
  const hint = suggestion(name, names)
  throw new UsageError(
    `--env ${name}: ${file} has no such environment, only ${listInWords(names)}${hint.startsWith('did') ? `: ${hint}` : ''}`,
  )
}

/**
 * Reads a configuration file, and settles what holds in one of its environments, or outside of them. Throws a
 * {@link UsageError} that names file, line and field, and never repeats what may be a secret.
 */
export const loadConfig = (file: string, environment?: string): Configuration => {
  const { place, config } = read(file)
  const { environments = {}, $schema: _, ...top } = config
  const near = environment === undefined ? undefined : environmentOf(file, config, environment)
  const settled = near ? mergedSections(top, near) : top
  const placeOf = (...path: readonly string[]): string | undefined => {
    const paths = [...(environment === undefined ? [] : [['environments', environment, ...path]]), path]
    const found = paths.find((each) => place.document.hasIn(each))
    return found && lineIn(place, found)
  }
  return { ...withPaths(file, settled), file, environment, environments: Object.keys(environments), placeOf }
}
