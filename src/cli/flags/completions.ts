import { type Flag, type NameKind, nameOf, type Surface } from './command.js'
import { scenarioNames } from './help.js'

/** The names that a shell may complete, by kind; code for more than a list of files is loaded only when needed. */
const namesOfKind: Readonly<Record<NameKind, () => Promise<readonly string[]> | readonly string[]>> = {
  scenarios: scenarioNames,
  async wishes() {
    const { areas, clauses } = await import('../../contract/clauses.js')
    return [...Object.keys(areas), ...clauses.map(({ id }) => id), ...(await namesOfKind.checks())]
  },
  checks: async () => (await import('../../run/registry.js')).checks.map(({ id }) => id),
  probes: async () => (await import('../../run/registry.js')).probes.map(({ id }) => id),
  plans: async () => (await import('../../contract/plans.js')).planNames.map((plan) => `${plan}=`),
  faults: async () => (await import('../../../reference-server/faults/catalogue.js')).faults.map(({ id }) => id),
  variations: async () =>
    (await import('../../../reference-server/faults/catalogue.js')).variations.map(({ id }) => id),
}

const valuesOf = async ({ choices, names }: Pick<Flag, 'choices' | 'names'>): Promise<readonly string[]> =>
  choices ?? (names === undefined ? [] : await namesOfKind[names]())

const fitting = async (words: readonly string[], surfaces: readonly Surface[]): Promise<readonly string[]> => {
  const [command, ...rest] = words
  if (rest.length === 0) return surfaces.map(nameOf)
  const surface = surfaces.find((each) => nameOf(each) === command)
  if (surface === undefined) return []
  const { options = {}, positionals = {} } = surface
  const before = rest.at(-2) ?? ''
  const flag = before.startsWith('--') ? options[before.slice(2)] : undefined
  if (flag && flag.type !== 'boolean') return valuesOf(flag)
  if (rest.at(-1)?.startsWith('-')) return Object.keys(options).map((name) => `--${name}`)
  const [first] = Object.values(positionals)
  return first === undefined ? [] : valuesOf(first)
}

/** Completions of the last word after `quotaspec`. None where a file is expected: the shell completes those. */
export const completions = async (words: readonly string[], surfaces: readonly Surface[]): Promise<string[]> => {
  const current = words.at(-1) ?? ''
  return (await fitting(words, surfaces)).filter((each) => each.startsWith(current))
}

/** Prints the script that makes bash or zsh, whichever calls this, ask this program for completions. */
export const printCompletionScript = async (): Promise<void> => {
  const { default: yargs } = await import('yargs')
  yargs([]).scriptName('quotaspec').completion('completion', false).showCompletionScript()
}
