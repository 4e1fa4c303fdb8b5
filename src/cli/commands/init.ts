import { join } from 'node:path'
import type { CommandModule } from 'yargs'
import { exitCodes } from '../../assembly/exit-code.js'
import { mostRequests } from '../discover/ask-plan.js'
import { createDialogue } from '../init/dialogue.js'
import { type InitAnswers, type InitFlags, initAnswers } from '../init/init-answers.js'
import { learn, settledContract } from '../init/init-contract.js'
import { contractPath, refuseWritten, scenarioPath, writeInitFiles } from '../init/init-files.js'
import { answersFrom } from '../init/question.js'
import { ciSystems } from '../init/questions.js'
import { untilInterrupted } from '../process/interruption.js'
import { safetyOf } from '../run/safety.js'

const options = {
  target: { type: 'string', describe: 'The base address of the API' },
  header: {
    type: 'string',
    describe:
      "The credential, as a header: 'Authorization: Bearer $ACME_KEY', with the secret in that variable; or none",
  },
  probe: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'A path to ask for, cheap and safe: /items?limit=1. Up to three',
  },
  discover: {
    type: 'boolean',
    describe: `Send ${mostRequests} gentle requests at most, and write what the answers show`,
  },
  headers: { type: 'string', describe: 'Without --discover: the preset of the fields that tell of the limit' },
  limit: { type: 'string', describe: 'The most requests in one window, where no answer shows it' },
  window: { type: 'string', describe: 'How long a window is, where no answer shows it: 1s, 1m, 1h' },
  ci: { type: 'string', describe: `The pipelines to write a file for: ${ciSystems.join(', ')}` },
  force: { type: 'boolean', default: false, describe: 'Write over files that are there already' },
  ca: { type: 'string', describe: "A PEM file of certificates to trust besides the system's" },
  insecure: {
    type: 'boolean',
    default: false,
    describe: 'Check no certificate: the credential goes to whoever answers',
  },
} as const

type Args = InitFlags & { folder: string; force: boolean; ca?: string; insecure: boolean }

const quoted = (text: string): string => (/^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The command that says what a run would send. */
const nextCommand = (folder: string, { target, credential }: InitAnswers): string => {
  const env = credential?.spec.env
  const isSet = env === undefined || process.env[env] !== undefined
  const paths = [scenarioPath, contractPath].map((path) => quoted(join(folder, path)))
  return `${isSet ? '' : `${env}=… `}quotaspec plan ${paths[0]} --contract ${paths[1]} --target ${quoted(target)}`
}

/** Asks for what is missing and writes contract, scenario and a pipeline's file into a folder. */
const init = async (args: Args, signal: AbortSignal): Promise<void> => {
  const { folder, force } = args
  const terminal = createDialogue(process.stdin, process.stderr)
  const answer = answersFrom(terminal)
  try {
    refuseWritten(folder, 'none', force)
    const safety = safetyOf({ ca: args.ca, insecure: args.insecure })
    const answers = await initAnswers(answer, args, { canAsk: terminal.isTTY, environment: process.env })
    refuseWritten(folder, answers.ci, force)
    // While it asks the API, Ctrl-C is the process's and no longer the question's.
    terminal.rest()
    if (answers.discovers) terminal.say(`asking ${answers.target}, ${mostRequests} requests at most, one at a time`)
    const learned = await learn(answers, { safety, signal })
    if (learned.summary !== undefined) terminal.say(learned.summary)
    const contract = await settledContract(answer, learned, args)
    const variable = answers.credential?.spec.env
    const facts = { target: answers.target, contract, ci: answers.ci, variable }
    const { written, remarks } = writeInitFiles(folder, facts, force)
    const lines = [...written.map((file) => `wrote ${file}`), ...remarks, 'next:', nextCommand(folder, answers)]
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    terminal.rest()
  }
}

/** Writes what it takes to hold an API to its quotas: a contract, a scenario, and a file for its pipeline. */
export const initCommand: CommandModule<object, Args> = {
  command: 'init [folder]',
  describe: 'Ask for what is missing, and write a contract, a scenario and a CI file into a folder',
  builder: (yargs) =>
    yargs
      .positional('folder', { type: 'string', default: '.', describe: 'The root of your repository' })
      .options(options) as never,
  handler: async (args) => {
    const { signal, release } = untilInterrupted()
    try {
      await init(args, signal)
    } catch (error) {
      if (!(signal.aborted || (error instanceof Error && error.name === 'AbortError'))) throw error
      process.stderr.write('\ninterrupted: nothing was written\n')
      process.exitCode = exitCodes.interrupted
    } finally {
      release()
    }
  },
}
