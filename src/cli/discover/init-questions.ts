import { presetNames } from '../../contract/header-presets.js'
import { mostRequests } from '../../discovery/ask-gently.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { parseTarget } from '../../run/options/target.js'
import type { ArgsOf } from '../flags/command.js'
import { type CiSystem, ciSystems, type contractCommands } from '../flags/contracts.js'
import type { Terminal } from '../output/dialogue.js'
import { namedCredentials } from './credential.js'
import { namedProbes, readWindow } from './discover-api.js'

/** A needed value: asked on a terminal, or given by a flag. */
export interface Question<T> {
  readonly flag: string
  readonly asks: string
  /** Shown above the question. */
  readonly hint?: string
  /** What to type, with an example. */
  readonly wanted: string
  /** The meaning of an empty answer on a terminal; if absent, the question is repeated. */
  readonly usual?: string
  /** Throws a {@link UsageError} that says what to type instead. */
  read(text: string): T
}

/** Answers a question by its flag, or else by asking. Throws a {@link UsageError} that names the flag if nobody can be asked. */
export type Answer = <T>(question: Question<T>, given: string | undefined) => Promise<T>

/** Answers questions on a terminal, again and again until an answer can be used. */
export const answersFrom =
  (terminal: Terminal): Answer =>
  async (question, given) => {
    if (given !== undefined) return question.read(given)
    if (!terminal.isTTY) throw new UsageError(`--${question.flag} is missing: ${question.wanted}`)
    const { asks, hint, usual } = question
    if (hint !== undefined) terminal.say(hint)
    for (;;) {
      const text = (await terminal.ask(`${asks}${usual === undefined ? '' : ` [${usual}]`}: `)).trim() || usual
      if (text === undefined) {
        terminal.say(question.wanted)
        continue
      }
      try {
        return question.read(text)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        terminal.say(error.message)
      }
    }
  }

const oneOf = <T extends string>(flag: string, names: readonly T[], text: string): T => {
  const found = names.find((name) => name === text.toLowerCase())
  if (found === undefined) throw new UsageError(`--${flag} ${text}: ${suggestion(text, names)}`)
  return found
}

const targetQuestion: Question<string> = {
  flag: 'target',
  asks: 'Base address of the API',
  wanted: 'the base address of the API, such as --target https://staging.acme.example',
  read: parseTarget,
}

const headerQuestion = (target: string, environment: NodeJS.ProcessEnv) => ({
  flag: 'header',
  hint: 'How do requests show who sends them? A header, with the variable that holds the secret: Authorization: Bearer $ACME_KEY',
  asks: 'Credential',
  wanted: "--header 'Authorization: Bearer $ACME_KEY', with the secret in that variable, or --header none",
  usual: 'none',
  read: (text: string) => namedCredentials([text], target, environment),
})

const probeQuestion: Question<ReadonlyMap<string, string>> = {
  flag: 'probe',
  hint: 'Which requests count, cost little and change nothing? Up to three paths, with spaces between: /items?limit=1 /search?q=a',
  asks: 'Paths',
  wanted: 'the path of a cheap request that changes nothing, such as --probe /items?limit=1; up to three',
  read: (text) => namedProbes(text.split(/\s+/)),
}

const ciQuestion: Question<CiSystem> = {
  flag: 'ci',
  hint: 'Where do your pipelines run? github, gitlab or none',
  asks: 'Pipelines',
  wanted: '--ci github, --ci gitlab or --ci none',
  usual: 'none',
  read: (text) => oneOf('ci', ciSystems, text),
}

const discoverQuestion = (requests: number, target: string): Question<boolean> => ({
  flag: 'discover',
  hint: `Send at most ${requests} gentle requests to ${target} now, to see what it says about its limits?`,
  asks: 'yes or no',
  wanted: '--discover, or --no-discover to send nothing and use only your answers',
  read: (text) => /^y(es)?$/.test(oneOf('discover', ['yes', 'no', 'y', 'n'], text)),
})

export const limitQuestion: Question<number> = {
  flag: 'limit',
  asks: 'Most requests in one window',
  wanted: 'the documented limit of requests in one window, such as --limit 60',
  read(text) {
    if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`--limit ${text}: a whole number of requests, such as 60`)
    return Number(text)
  },
}

export type InitFlags = Partial<ArgsOf<typeof contractCommands.init>> &
  Pick<ArgsOf<typeof contractCommands.init>, 'probe' | 'header'>

/** Whether the API may be asked: only if the user says so. */
const mayDiscover = async (answer: Answer, { discover, headers }: InitFlags, canAsk: boolean, target: string) => {
  if (headers !== undefined) {
    if (discover)
      throw new UsageError('--headers and --discover cannot be combined: --discover reads the headers from the answers')
    return false
  }
  if (discover !== undefined) return discover
  return canAsk ? await answer(discoverQuestion(mostRequests, target), undefined) : false
}

/** Asks for what no flag gives. Throws a {@link UsageError} for unusable answers. */
export const initAnswers = async (
  answer: Answer,
  flags: InitFlags,
  { canAsk, environment }: { canAsk: boolean; environment: NodeJS.ProcessEnv },
) => {
  const preset = oneOf('headers', presetNames, flags.headers ?? 'none')
  const target = await answer(targetQuestion, flags.target)
  const credentials =
    flags.header.length > 0
      ? namedCredentials(flags.header, target, environment)
      : await answer(headerQuestion(target, environment), undefined)
  const probes = await answer(probeQuestion, flags.probe.length > 0 ? flags.probe.join(' ') : undefined)
  const ci = await answer(ciQuestion, flags.ci)
  const discovers = await mayDiscover(answer, flags, canAsk, target)
  const unset = [...credentials.values()].find(({ secret }) => secret === undefined)
  if (discovers && unset) {
    throw new UsageError(
      `--header: ${unset.spec.env} is not set in the environment, and --discover needs the credential: set it, or remove --discover`,
    )
  }
  // Invalid flags are refused before the API is asked.
  if (flags.limit !== undefined) limitQuestion.read(flags.limit)
  if (flags.window !== undefined) readWindow(flags.window)
  return { target, credentials, probes, ci, discovers, preset }
}
