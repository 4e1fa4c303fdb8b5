import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { UsageError } from '../../kit/usage-error.js'
import { listInWords } from '../../kit/words.js'
import { isLoopback } from '../../run/options/target.js'
import { scenarioFolder } from '../../run/package.js'
import type { CiSystem } from '../flags/contracts.js'
import { nameOf, scalar } from './write-contract.js'

interface CiFacts {
  readonly name: string
  readonly target: string
  /** The variables that hold the secrets. */
  readonly variables: readonly string[]
  /** From the root of the repository. */
  readonly contract: string
  readonly scenario: string
}

/** The name of the repository's secret: GitHub has none that begins with GITHUB_. */
const secretName = (variable: string): string => variable.replace(/^GITHUB_/i, 'GH_')

/** Lines of the load's leave, where the target is not the machine that the pipeline runs on. */
const leave = (target: string, indent: string, line: string): string =>
  isLoopback(target)
    ? `${indent}# It has to be started before, in this job.\n`
    : `${indent}# Load may go to ${target}: without this line the run ends before it, with 2.\n${indent}${line}\n`

const secretLines = (variables: readonly string[]): string =>
  variables.length === 0
    ? ''
    : `    env:
      # Secrets of the repository: Settings, Secrets and variables, Actions.
${variables.map((each) => `      ${each}: \${{ secrets.${secretName(each)} }}\n`).join('')}`

/** A workflow of GitHub Actions. */
const githubText = ({
  name,
  target,
  variables,
  contract,
  scenario,
}: CiFacts): string => `# Holds ${name} to its quotas: each night, and whenever somebody starts it.
name: quotaspec
on:
  schedule:
    - cron: '17 3 * * *'
  workflow_dispatch:
jobs:
  quota-gate:
    runs-on: ubuntu-latest
    # One run at a time: two of them on one credential would spend each other's quota.
    concurrency: quotaspec
${secretLines(variables)}    steps:
      - uses: actions/checkout@v4
      # REPLACE OWNER: the account that has the repository of quotaspec.
      - uses: OWNER/quotaspec@v0
        with:
          target: ${scalar(target)}
          contract: ${scalar(contract)}
          scenario: ${scalar(scenario)}
${leave(target, '          ', "allow-load: 'true'")}`

/** A part of a GitLab pipeline. */
const gitlabText = ({
  name,
  target,
  variables,
  contract,
  scenario,
}: CiFacts): string => `# Holds ${name} to its quotas.${variables.length === 0 ? '' : ` Variables of the project, masked and protected: ${listInWords(variables)}.`}
include:
  # REPLACE git.example, here and below: where the repository of quotaspec is.
  - remote: https://git.example/quotaspec/-/raw/main/ci/gitlab.yml
quotaspec:
  variables:
    QUOTASPEC_REPOSITORY: https://git.example/quotaspec.git
    QUOTASPEC_TARGET: ${scalar(target)}
    QUOTASPEC_CONTRACT: ${scalar(contract)}
    QUOTASPEC_SCENARIO: ${scalar(scenario)}
${leave(target, '    ', "QUOTASPEC_ALLOW_LOAD: 'true'")}  # One run at a time: two of them on one credential would spend each other's quota.
  resource_group: quotaspec
`

/** The configuration by which `quotaspec run` needs no flag in the folder. Leave for load is its owner's to give. */
const configText = ({
  target,
  contract,
  scenario,
}: Readonly<
  Record<'target' | 'contract' | 'scenario', string>
>): string => `# What quotaspec run and quotaspec plan go by in this folder. Flags go before it; secrets never stand in it.
target: ${scalar(target)}
contract: ${scalar(contract)}
scenario: ${scalar(scenario)}
${isLoopback(target) ? '' : '# Load may go to this target, and to no other, once this is no comment:\n# allowLoad: true\n'}`

/**
 * The release gate of an API, for its owner to change: what is played for each quota, and what has to come out. The first
 * line of the file that it is made of is for editors, and leads to a schema that lies elsewhere.
 */
const scenarioText = (name: string): string => {
  const text = readFileSync(join(scenarioFolder, 'init', 'release-gate.yaml'), 'utf8')
  return text.slice(text.indexOf('\n') + 1).replaceAll('THIS-API', name)
}

/** Which schema a file keeps, by the name that it is published under. */
const schemas: Readonly<Record<string, string>> = {
  'quotaspec/contract.yaml': 'contract',
  'quotaspec/release-gate.yaml': 'scenario',
  'quotaspec.yaml': 'quotaspec',
}

/** The line by which editors complete and check a file, where the package is installed in the folder: elsewhere it leads nowhere. */
const editorLine = (folder: string, path: string): string => {
  const schema = join('node_modules/quotaspec/schema', `${schemas[path]}.schema.json`)
  return existsSync(join(folder, schema))
    ? `# yaml-language-server: $schema=${relative(dirname(path), schema).replaceAll('\\', '/')}\n`
    : ''
}

/** Paths within the folder, which is the root of a repository. */
export const contractPath = 'quotaspec/contract.yaml'
export const scenarioPath = 'quotaspec/release-gate.yaml'
const githubPath = '.github/workflows/quotaspec.yml'
const gitlabPath = 'quotaspec/gitlab-ci.yml'
const gitlabRoot = '.gitlab-ci.yml'
const configPath = 'quotaspec.yaml'

interface InitFacts {
  readonly target: string
  /** The contract file. */
  readonly contract: string
  readonly ci: CiSystem
  /** The variables that hold the secrets. */
  readonly variables: readonly string[]
}

/** The paths of what is written for a pipeline system, within the folder. */
const pathsFor = (ci: CiSystem): readonly string[] => {
  const own = { github: [githubPath], gitlab: [gitlabPath], none: [] }
  return [contractPath, scenarioPath, ...own[ci]]
}

/** Throws a {@link UsageError} where a file is there already that would be written. */
export const refuseWritten = (folder: string, ci: CiSystem, force: boolean): void => {
  const there = pathsFor(ci).filter((path) => existsSync(join(folder, path)))
  if (force || there.length === 0) return
  const names = there.map((path) => join(folder, path)).join(', ')
  const [are, them] = there.length === 1 ? ['it is', 'it'] : ['they are', 'them']
  throw new UsageError(`${names}: ${are} there already; --force writes over ${them}, or name another folder`)
}

/** The files by their paths within the folder. */
export const initFiles = ({ target, contract, ci, variables }: InitFacts): ReadonlyMap<string, string> => {
  const name = nameOf(target)
  const facts = { name, target, variables, contract: contractPath, scenario: scenarioPath }
  const files = new Map([
    [contractPath, contract],
    [scenarioPath, scenarioText(name)],
  ])
  if (ci === 'github') files.set(githubPath, githubText(facts))
  if (ci === 'gitlab') files.set(gitlabPath, gitlabText(facts))
  return files
}

/** Says what is still to be done by hand before a pipeline can use what was written. */
const remarksOn = (folder: string, { ci, variables }: InitFacts, isRootNew: boolean): string[] => {
  const gives = (whom: string, names: readonly string[]) =>
    names.length === 0 ? '' : `, and give ${whom} ${listInWords(names)}`
  if (ci === 'github')
    return [
      `${join(folder, githubPath)}: replace OWNER${gives('the repository, as secrets,', variables.map(secretName))}`,
    ]
  if (ci === 'none') return []
  const include = `include: [{local: ${gitlabPath}}]`
  return [
    `${join(folder, gitlabPath)}: replace git.example${gives('the project, as variables,', variables)}`,
    ...(isRootNew ? [] : [`${join(folder, gitlabRoot)}: it is yours and stays as it is; write into it: ${include}`]),
  ]
}

/**
 * Writes the files; of those that are there already only with `force`. A `.gitlab-ci.yml` and a `quotaspec.yaml` are
 * written where there is none, and never over one. Gives the paths that were written, and what is to be done by hand.
 */
export const writeInitFiles = (
  folder: string,
  facts: InitFacts,
  force: boolean,
): { readonly written: readonly string[]; readonly remarks: readonly string[] } => {
  const isRootNew = facts.ci === 'gitlab' && !existsSync(join(folder, gitlabRoot))
  const config = configText({ target: facts.target, contract: contractPath, scenario: scenarioPath })
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
