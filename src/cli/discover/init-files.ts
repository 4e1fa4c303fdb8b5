import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inYaml, nameOf } from '../../discovery/write-contract.js'
import { UsageError } from '../../kit/usage-error.js'
import { listInWords } from '../../kit/words.js'
import { isLoopback } from '../../run/options/target.js'
import { scenarioFolder } from '../../run/package.js'
import type { CiSystem } from '../flags/contracts.js'

interface InitFacts {
  readonly target: string
  readonly contract: string
  readonly ci: CiSystem
  readonly variables: readonly string[]
}

/** The name of the repository's secret: GitHub forbids names that begin with GITHUB_. */
const secretName = (variable: string): string => variable.replace(/^GITHUB_/i, 'GH_')

/** The lines that allow load, unless the target is the machine that the pipeline runs on. */
const leave = (target: string, indent: string, line: string): string =>
  isLoopback(target)
    ? `${indent}# Start it earlier in this job.\n`
    : `${indent}# Allows load on ${target}: without this line the run ends before its loads, with exit code 2.\n${indent}${line}\n`

const githubSecrets = (variables: readonly string[]): string =>
  variables.length === 0
    ? ''
    : `    env:
      # Secrets of the repository: Settings, Secrets and variables, Actions.
${variables.map((each) => `      ${each}: \${{ secrets.${secretName(each)} }}\n`).join('')}`

const gitlabSecrets = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : ` Variables of the project, masked and protected: ${listInWords(variables)}.`

const filled = (template: string, { target, variables }: Pick<InitFacts, 'target' | 'variables'>): string =>
  readFileSync(join(scenarioFolder, 'init', template), 'utf8')
    // The template's first line names a schema for editors by a path that does not hold here.
    .replace(/^# yaml-language-server.*\n/, '')
    .replace(/^ +# SECRETS\n/m, () => githubSecrets(variables))
    .replace(/ SECRETS$/m, () => gitlabSecrets(variables))
    .replace(/^( +)# LEAVE: (.*)\n/m, (_, indent: string, line: string) => leave(target, indent, line))
    .replaceAll('THIS-API', () => nameOf(target))
    .replaceAll('https://THIS-TARGET', () => inYaml(target))

const schemas: Readonly<Record<string, string>> = {
  'quotaspec/contract.yaml': 'contract',
  'quotaspec/release-gate.yaml': 'scenario',
  'quotaspec.yaml': 'quotaspec',
}

/** The line that names a file's schema for editors; empty unless the package is installed in the folder. */
const editorLine = (folder: string, path: string): string => {
  const schema = join('node_modules/quotaspec/schema', `${schemas[path]}.schema.json`)
  return existsSync(join(folder, schema))
    ? `# yaml-language-server: $schema=${relative(dirname(path), schema).replaceAll('\\', '/')}\n`
    : ''
}

/** Paths relative to the folder, which is the root of a repository. */
export const contractPath = 'quotaspec/contract.yaml'
export const scenarioPath = 'quotaspec/release-gate.yaml'
const githubPath = '.github/workflows/quotaspec.yml'
const gitlabPath = 'quotaspec/gitlab-ci.yml'
const gitlabRoot = '.gitlab-ci.yml'
const configPath = 'quotaspec.yaml'

/** The paths of the files for a pipeline system, relative to the folder. */
const pathsFor = (ci: CiSystem): readonly string[] => {
  const own = { github: [githubPath], gitlab: [gitlabPath], none: [] }
  return [contractPath, scenarioPath, ...own[ci]]
}

/** Throws a {@link UsageError} if a file to be written already exists. */
export const refuseWritten = (folder: string, ci: CiSystem, force: boolean): void => {
  const there = pathsFor(ci).filter((path) => existsSync(join(folder, path)))
  if (force || there.length === 0) return
  const names = there.map((path) => join(folder, path)).join(', ')
  const [are, them] = there.length === 1 ? ['it exists', 'it'] : ['they exist', 'them']
  throw new UsageError(`${names}: ${are} already; use --force to overwrite ${them}, or name another folder`)
}

export const initFiles = (facts: InitFacts): ReadonlyMap<string, string> => {
  const files = new Map([
    [contractPath, facts.contract],
    [scenarioPath, filled('release-gate.yaml', facts)],
  ])
  if (facts.ci === 'github') files.set(githubPath, filled('github.yml', facts))
  if (facts.ci === 'gitlab') files.set(gitlabPath, filled('gitlab-ci.yml', facts))
  return files
}

/** What is left to do by hand before a pipeline can use the files. */
const remarksOn = (folder: string, { ci, variables }: InitFacts, isRootNew: boolean): string[] => {
  const gives = (what: string, whom: string, names: readonly string[]) =>
    names.length === 0
      ? ''
      : `, and add the ${what}${names.length === 1 ? '' : 's'} ${listInWords(names)} to the ${whom}`
  if (ci === 'github')
    return [`${join(folder, githubPath)}: replace OWNER${gives('secret', 'repository', variables.map(secretName))}`]
  if (ci === 'none') return []
  const include = `include: [{local: ${gitlabPath}}]`
  return [
    `${join(folder, gitlabPath)}: replace git.example${gives('variable', 'project', variables)}`,
    ...(isRootNew ? [] : [`${join(folder, gitlabRoot)}: it is yours and is not changed; add this to it: ${include}`]),
  ]
}

/**
 * Writes the files, over existing ones only with `force`; never over an existing `.gitlab-ci.yml` or `quotaspec.yaml`.
 * Returns the paths that were written, and what is left to do by hand.
 */
export const writeInitFiles = (folder: string, facts: InitFacts, force: boolean) => {
  // Only the target's owner can allow load; on this machine no permission is needed.
  const config = filled(configPath, facts).split(isLoopback(facts.target) ? '# Load' : '\0')[0]
  const isRootNew = facts.ci === 'gitlab' && !existsSync(join(folder, gitlabRoot))
  const once: [string, string][] = [
    ...(isRootNew ? [[gitlabRoot, `include:\n  - local: ${gitlabPath}\n`] as [string, string]] : []),
    ...(existsSync(join(folder, configPath)) ? [] : [[configPath, config] as [string, string]]),
  ]
  const written = [...initFiles(facts), ...once].map(([path, text]) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${editorLine(folder, path)}${text}`, { flag: force ? 'w' : 'wx' })
    return file
  })
  return { written, remarks: remarksOn(folder, facts, isRootNew) }
}
