import { dirname, join } from 'node:path'
import { isScalar, visit } from 'yaml'
import { z } from 'zod'
import { givenName } from '../../contract/file/measures.js'
import { planNames } from '../../contract/plans.js'
import { maybe } from '../../kit/described.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { checkYaml, isVariableName, lineIn, readNamedYaml, type YamlFile } from '../../kit/yaml-file.js'
import { type GivenOptions, sectionSchema } from './run-options.js'
import { mergedOptions, type OptionSource } from './settle-options.js'

/** Texts that look like a secret anywhere: a key with its plan, a header's value, tokens of known issuers. */
const forms: readonly RegExp[] = [
  new RegExp(`^(?:${planNames.join('|')})=(?!minute:)\\S`, 'i'),
  /^(?:authorization\s*:\s*)?(?:bearer|basic)\s+\S{5}/i,
  /^(?:[sprw]k|api|key|token)[-_](?:live|test|proj)[-_]?\w{8}/i,
  /^sk-[\w-]{16}/,
  /^gh[a-z]_\w{16}/,
  /^github_pat_\w{16}/,
  /^glpat-[\w-]{16}/,
  /^xox[a-z]-[\w-]{8}/,
  /^(?:AKIA|ASIA)[0-9A-Z]{16}$/,
  /^eyJ[\w-]{4,}\.[\w-]+\./,
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s]*@/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
]

/** Names of fields that usually hold secrets. */
const fields =
  /^(?:(?:api|access)?[-_]?keys?(?:[-_]?(?:free|pro|business|enterprise))?|(?:.*[-_])?(?:token|secret|password)|authorization|QUOTASPEC_KEY_\w+)$/i

/** Throws a {@link UsageError} if a file may hold a secret; it names the file and line, never the secret. */
const refuseSecrets = ({ file, document, lines }: YamlFile): void => {
  const refuse = (offset: number): never => {
    throw new UsageError(
      `${file}:${lines.linePos(offset).line}: this looks like a secret (not shown here), which must not be in this file: put it into an environment variable, and name that variable: keys: {free: ACME_KEY_FREE}`,
    )
  }
  visit(document, {
    Scalar(_, { value, range }) {
      if (typeof value === 'string' && forms.some((form) => form.test(value.trim()))) refuse(range?.[0] ?? 0)
    },
    Pair(_, pair) {
      const { key, value } = pair
      if (!isScalar(key) || key.value === 'keys' || !fields.test(String(key.value))) return
      // Under `keys` a credential may be named `token`: its value is then the name of a variable.
      const isNamed = isScalar(value) && (value.value === null || isVariableName(String(value.value)))
      if (isScalar(value) && !isNamed) refuse(key.range?.[0] ?? 0)
    },
  })
}

/** A configuration file: options for `run` and `plan`, for all environments and for each one. */
export const configSchema = z.strictObject({
  $schema: maybe(z.string(), 'Where editors find this schema; quotaspec ignores it.'),
  ...sectionSchema.shape,
  environments: maybe(
    z.record(givenName, sectionSchema.describe('One environment.').meta({ title: 'the fields of the file' })),
    'What differs in each environment, by names that you choose: `--env staging` selects the one of that name. Missing fields, keys and gates come from the rest of the file.',
  ),
})
type ConfigFile = z.output<typeof configSchema>

/** The run options in a configuration file, for one environment or for none. */
export interface Configuration extends OptionSource {
  readonly file: NonNullable<OptionSource['file']>
  readonly environments: readonly string[]
}

/** Resolves a path against the file's folder, not the working directory; the name of something bundled stays as it is. */
const fromFile = (file: string, nameOrPath: string | undefined, mayBeName = false): string | undefined =>
  nameOrPath === undefined || (mayBeName && /^[\w-]+$/.test(nameOrPath)) ? nameOrPath : join(dirname(file), nameOrPath)

type ConfigSection = z.output<typeof sectionSchema>

const optionsOf = (file: string, { keys, ...section }: ConfigSection): GivenOptions => ({
  ...section,
  keyVariables: keys,
  contract: fromFile(file, section.contract, true),
  scenario: fromFile(file, section.scenario, true),
  out: fromFile(file, section.out),
  waivers: fromFile(file, section.waivers),
  ca: fromFile(file, section.ca),
})

const environmentOf = (file: string, { environments = {} }: ConfigFile, name: string): ConfigSection => {
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined
  if (found) return found
  const names = Object.keys(environments)
  if (names.length === 0) throw new UsageError(`--env ${name}: ${file} has no environments: remove --env`)
  throw new UsageError(`--env ${name}: ${file} has no such environment: ${suggestion(name, names)}`)
}

/** Reads a configuration file for one of its environments. Throws a {@link UsageError} that repeats no secret. */
export const loadConfig = (file: string, environment?: string): Configuration => {
  const place = readNamedYaml('--config', file, 'a configuration')
  refuseSecrets(place)
  const config = checkYaml(place, configSchema, place.value, [])
  const { environments = {}, $schema: _, ...top } = config
  const near = environment === undefined ? undefined : environmentOf(file, config, environment)
  const options = optionsOf(file, top)
  return {
    values: near ? mergedOptions(options, optionsOf(file, near)) : options,
    file: { file, environment },
    environments: Object.keys(environments),
    nameOf([first, ...rest]) {
      // In the file, `keyVariables` is called `keys`.
      const field = [first === 'keyVariables' ? 'keys' : first, ...rest]
      const paths = [...(environment === undefined ? [] : [['environments', environment, ...field]]), field]
      const found = paths.find((each) => place.document.hasIn(each))
      return `${found ? lineIn(place, found) : file}: ${field.map(String).join('.')}`
    },
  }
}
