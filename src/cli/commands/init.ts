import { join } from 'node:path'
import { exitCodes } from '../../assembly/exit-code.js'
import { headerPresets, type PresetName, presetNames } from '../../contract/header-presets.js'
import { mostRequests } from '../../discovery/ask-gently.js'
import { countedByAddress, neverRefused } from '../../discovery/conclude.js'
import { type Asked, callersOf, type Discovered, withGiven } from '../../discovery/discovered.js'
import { writeContract } from '../../discovery/write-contract.js'
import { listInWords, present, shellWord } from '../../kit/words.js'
import { thisProgram } from '../../run/machine.js'
import { tlsOf } from '../../run/options/target.js'
import { atHand } from '../discover/credential.js'
import { type Discovery, discoverApi, specsOf, summaryOf } from '../discover/discover-api.js'
import { contractPath, refuseWritten, scenarioPath, writeInitFiles } from '../discover/init-files.js'
import {
  type Answer,
  answersFrom,
  type InitAnswers,
  type InitFlags,
  initAnswers,
  limitQuestion,
  type Question,
  windowQuestion,
} from '../discover/init-questions.js'
import type { ArgsOf } from '../flags/command.js'
import type { contractCommands } from '../flags/contracts.js'
import { createDialogue } from '../output/dialogue.js'
import { isAbort, unlessInterrupted } from '../output/interruption.js'

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
