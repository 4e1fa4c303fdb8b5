import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { exitCodes } from '../../assembly/exit-code.js'
import { headerPresets, type PresetName, presetNames } from '../../contract/header-presets.js'
import { mostRequests } from '../../discovery/ask-gently.js'
import { countedByAddress, neverRefused } from '../../discovery/conclude.js'
import { type Asked, callersOf, type Discovered, withGiven } from '../../discovery/discovered.js'
import { inYaml, nameOf, writeContract } from '../../discovery/write-contract.js'
import { UsageError } from '../../kit/usage-error.js'
import { listInWords, present, shellWord } from '../../kit/words.js'
import { thisProgram } from '../../run/machine.js'
import { isLoopback, tlsOf } from '../../run/options/target.js'
import { scenarioFolder } from '../../run/package.js'
import { atHand } from '../discover/credential.js'
import { type Discovery, discoverApi, readWindow, specsOf, summaryOf } from '../discover/discover-api.js'
import {
  type Answer,
  answersFrom,
  type InitFlags,
  initAnswers,
  limitQuestion,
  type Question,
} from '../discover/init-questions.js'
import type { ArgsOf } from '../flags/command.js'
import type { CiSystem, contractCommands } from '../flags/contracts.js'
import { createDialogue } from '../output/dialogue.js'
import { isAbort, unlessInterrupted } from '../output/interruption.js'

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
const contractPath = 'quotaspec/contract.yaml'
const scenarioPath = 'quotaspec/release-gate.yaml'
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

type Args = ArgsOf<typeof contractCommands.init>

const said = 'as you said'

/** What is known about an API that was not asked: only what the user said. */
const statedContract = (hasCredential: boolean, probes: readonly string[], preset: PresetName): Discovered => ({
  preset,
  fields: headerPresets[preset].map((field) => ({ field, because: said })),
  ...neverRefused,
  anonymous: undefined,
  quotas: [
    {
      id: 'core',
      by: hasCredential
        ? { is: 'credential', because: 'the usual case; address if all callers of an address are counted together' }
        : countedByAddress,
      limit: undefined,
      windowMs: undefined,
      requests: { is: probes, because: 'as you named them: all of them count against it together' },
      cost: undefined,
      policy: undefined,
    },
  ],
  unknown: [
    'everything but what you entered: no request was sent to the API (quotaspec discover does that)',
    ...present(
      preset === 'none' &&
        `which response headers show limits, if any: headers takes ${presetNames.join(', ')}, or a list of fields`,
    ),
  ],
})

/** What has to be known before the API is asked. */
type InitAnswers = Awaited<ReturnType<typeof initAnswers>>

/** What the user said, if the API may not be asked. */
const stated = ({ target, credentials, probes, preset }: InitAnswers) => {
  const named = [...probes].map(([name, path]) => [name, { path, status: null }] as const)
  return {
    asked: { target, credentials: specsOf(credentials), requests: Object.fromEntries(named), asked: 0 },
    found: statedContract(credentials.size > 0, [...probes.keys()], preset),
    summary: undefined,
  }
}

/** `summary`: what asking showed, for the terminal. */
export const learn = async (answers: InitAnswers, { tls, signal }: Pick<Discovery, 'tls' | 'signal'>) => {
  if (!answers.discovers) return stated(answers)
  const { target, probes } = answers
  const credentials = atHand(answers.credentials)
  const api = await discoverApi({ target, probes, credentials, tls, signal })
  return { ...api, summary: summaryOf(api) }
}

const windowQuestion: Question<number> = {
  flag: 'window',
  asks: 'How long a window is (1s, 1m, 1h)',
  wanted: 'the length of the window, such as --window 1m',
  read: readWindow,
}

/**
 * The contract file. Asks the user for limit and window if they are still unknown. If nobody can be asked, or the user
 * leaves, they stay empty and are reported as gaps, so that what was learned about the API is not lost.
 */
export const settledContract = async (
  answer: Answer,
  { asked, found }: { readonly asked: Asked; readonly found: Discovered },
  flags: Pick<InitFlags, 'limit' | 'window'>,
  canAsk: boolean,
) => {
  let [isKept, wasLeft] = [asked.asked > 0 && !canAsk, false]
  const leave = (error: unknown): undefined => {
    if (asked.asked === 0 || !isAbort(error)) throw error
    isKept = wasLeft = true
  }
  const settle = async <T>(key: 'limit' | 'windowMs', question: Question<T>, given: string | undefined) => {
    const isKnown = found.quotas.every((quota) => quota[key] !== undefined)
    return isKnown || (given === undefined && isKept) ? undefined : await answer(question, given).catch(leave)
  }
  const limit = await settle('limit', limitQuestion, flags.limit)
  const windowMs = await settle('windowMs', windowQuestion, flags.window)
  const filled = withGiven({ limit, windowMs }, found, callersOf(asked))
  const gaps = filled.quotas.flatMap(({ id, limit, windowMs }) =>
    present(!limit && `limit of ${id}`, !windowMs && `window of ${id}`),
  )
  return { contract: writeContract(asked, filled), gaps, wasLeft }
}

const variablesOf = (credentials: InitAnswers['credentials']): string[] =>
  [...credentials.values()].flatMap(({ spec }) => spec.env ?? [])

const nextCommand = (folder: string, { target, credentials }: InitAnswers): string => {
  const unset = variablesOf(credentials).filter((env) => process.env[env] === undefined)
  const paths = [scenarioPath, contractPath].map((path) => shellWord(join(folder, path)))
  return `${unset.map((env) => `${env}=… `).join('')}${thisProgram()} plan ${paths[0]} --contract ${paths[1]} --target ${shellWord(target)}`
}

/** Asks for what is missing, and writes a contract, a scenario and a pipeline file into a folder. */
const init = async (args: Args, signal: AbortSignal): Promise<void> => {
  const { folder, force } = args
  const terminal = createDialogue(process.stdin, process.stderr)
  const answer = answersFrom(terminal)
  try {
    refuseWritten(folder, 'none', force)
    const tls = tlsOf(args)
    const answers = await initAnswers(answer, args, { canAsk: terminal.isTTY, environment: process.env })
    refuseWritten(folder, answers.ci, force)
    // While it asks the API, Ctrl-C ends the process, not a question.
    terminal.rest()
    if (answers.discovers) terminal.say(`asking ${answers.target}, ${mostRequests} requests at most, one at a time`)
    const learned = await learn(answers, { tls, signal })
    if (learned.summary !== undefined) terminal.say(learned.summary)
    const { contract, gaps, wasLeft } = await settledContract(answer, learned, args, terminal.isTTY)
    if (wasLeft) {
      terminal.say('\ninterrupted: the findings so far are kept')
      process.exitCode = exitCodes.interrupted
    }
    const facts = { target: answers.target, contract, ci: answers.ci, variables: variablesOf(answers.credentials) }
    const { written, remarks } = writeInitFiles(folder, facts, force)
    const lines = present(
      ...written.map((file) => `wrote ${file}`),
      gaps.length > 0 &&
        `${join(folder, contractPath)}: the ${listInWords(gaps)} ${gaps.length === 1 ? 'is' : 'are'} not known and left empty; write what the documentation says`,
      ...remarks,
      'next:',
      nextCommand(folder, answers),
    )
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    terminal.rest()
  }
}

export const initOrInterrupted = (args: Args): Promise<void> => unlessInterrupted((signal) => init(args, signal))
