import { join } from 'node:path'
import { listInWords, shellWord } from '../../kit/words.js'
import { thisProgram } from '../../run/machine.js'
import { tlsOf } from '../../run/options/target.js'
import { mostRequests } from '../discover/ask-gently.js'
import { learn, settledContract } from '../discover/init-contract.js'
import { contractPath, refuseWritten, scenarioPath, writeInitFiles } from '../discover/init-files.js'
import { answersFrom, createDialogue, type InitAnswers, initAnswers } from '../discover/init-questions.js'
import type { ArgsOf } from '../flags/command.js'
import type { initSurface } from '../flags/contracts.js'
import { unlessInterrupted } from '../output/interruption.js'

type Args = ArgsOf<typeof initSurface>

const variablesOf = (credentials: InitAnswers['credentials']): string[] =>
  [...credentials.values()].flatMap(({ spec }) => spec.env ?? [])

/** The command that says what a run would send. */
const nextCommand = (folder: string, { target, credentials }: InitAnswers): string => {
  const unset = variablesOf(credentials).filter((env) => process.env[env] === undefined)
  const paths = [scenarioPath, contractPath].map((path) => shellWord(join(folder, path)))
  return `${unset.map((env) => `${env}=… `).join('')}${thisProgram()} plan ${paths[0]} --contract ${paths[1]} --target ${shellWord(target)}`
}

/** Asks for what is missing and writes contract, scenario and a pipeline's file into a folder. */
const init = async (args: Args, signal: AbortSignal): Promise<void> => {
  const { folder, force } = args
  const terminal = createDialogue(process.stdin, process.stderr)
  const answer = answersFrom(terminal)
  try {
    refuseWritten(folder, 'none', force)
    const safety = { limits: {}, tls: tlsOf(args) }
    const answers = await initAnswers(answer, args, { canAsk: terminal.isTTY, environment: process.env })
    refuseWritten(folder, answers.ci, force)
    // While it asks the API, Ctrl-C is the process's and no longer the question's.
    terminal.rest()
    if (answers.discovers) terminal.say(`asking ${answers.target}, ${mostRequests} requests at most, one at a time`)
    const learned = await learn(answers, { safety, signal })
    if (learned.summary !== undefined) terminal.say(learned.summary)
    const { contract, gaps } = await settledContract(answer, learned, args, terminal.isTTY)
    const facts = { target: answers.target, contract, ci: answers.ci, variables: variablesOf(answers.credentials) }
    const { written, remarks } = writeInitFiles(folder, facts, force)
    const missing =
      gaps.length === 0
        ? []
        : [
            `${join(folder, contractPath)}: not known, and left empty: the ${listInWords(gaps)}; write what the documentation says`,
          ]
    const lines = [
      ...written.map((file) => `wrote ${file}`),
      ...missing,
      ...remarks,
      'next:',
      nextCommand(folder, answers),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    terminal.rest()
  }
}

/** Writes what it takes to hold an API to its quotas: a contract, a scenario, and a file for its pipeline. */
export const initOrInterrupted = (args: Args): Promise<void> => unlessInterrupted((signal) => init(args, signal))
