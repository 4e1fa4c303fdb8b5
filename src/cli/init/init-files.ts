import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nameOf } from '../../contract/file/write-contract.js'
import { UsageError } from '../../kit/usage-error.js'
import type { CiSystem } from './ci-systems.js'
import { githubText, gitlabText, secretName } from './ci-text.js'
import { configText } from './config-text.js'
import { scenarioText } from './scenario-text.js'

/** Paths within the folder, which is the root of a repository. */
export const contractPath = 'quotaspec/contract.yaml'
export const scenarioPath = 'quotaspec/release-gate.yaml'
const githubPath = '.github/workflows/quotaspec.yml'
const gitlabPath = 'quotaspec/gitlab-ci.yml'
const gitlabRoot = '.gitlab-ci.yml'
const configPath = 'quotaspec.yaml'

export interface InitFacts {
  readonly target: string
  /** The contract file. */
  readonly contract: string
  readonly ci: CiSystem
  /** The variable that holds the secret; undefined where there is none. */
  readonly variable: string | undefined
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
  throw new UsageError(
    `${names}: ${there.length === 1 ? 'it is' : 'they are'} there already; --force writes over ${there.length === 1 ? 'it' : 'them'}, or name another folder`,
  )
}

/** The files by their paths within the folder. */
export const initFiles = ({ target, contract, ci, variable }: InitFacts): ReadonlyMap<string, string> => {
  const name = nameOf(target)
  const facts = { name, target, variable, contract: contractPath, scenario: scenarioPath }
  const files = new Map([
    [contractPath, contract],
    [scenarioPath, scenarioText(name)],
  ])
  if (ci === 'github') files.set(githubPath, githubText(facts))
  if (ci === 'gitlab') files.set(gitlabPath, gitlabText(facts))
  return files
}

/** Says what is still to be done by hand before a pipeline can use what was written. */
const remarksOn = (folder: string, { ci, variable }: InitFacts, isRootNew: boolean): string[] => {
  const gives = (words: string) => (variable === undefined ? '' : `, and give ${words}`)
  if (ci === 'github')
    return [
      `${join(folder, githubPath)}: replace OWNER${gives(`the repository the secret ${secretName(variable ?? '')}`)}`,
    ]
  if (ci === 'none') return []
  const include = `include: [{local: ${gitlabPath}}]`
  return [
    `${join(folder, gitlabPath)}: replace git.example${gives(`the project the variable ${variable}`)}`,
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
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
    return file
  })
  return { written, remarks: remarksOn(folder, facts, isRootNew) }
}
