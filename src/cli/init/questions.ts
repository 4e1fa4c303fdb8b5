import { type PresetName, presetNames } from '../../contract/header-presets.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { parseTarget } from '../../run/options/target.js'
import { namedProbes } from '../discover/ask-plan.js'
import { type CredentialAnswer, credentialAnswer } from '../discover/credential-answer.js'
import { givenFor } from '../discover/with-given.js'
import { type CiSystem, ciSystems } from './ci-systems.js'
import type { Question } from './question.js'

const oneOf = <T extends string>(flag: string, names: readonly T[], text: string): T => {
  const found = names.find((name) => name === text.toLowerCase())
  if (found === undefined) throw new UsageError(`--${flag} ${text}: ${suggestion(text, names)}`)
  return found
}

export const targetQuestion: Question<string> = {
  flag: 'target',
  asks: 'Base address of the API',
  wanted: 'the base address of the API, such as --target https://staging.acme.example',
  read: parseTarget,
}

/** How requests show who sends them. */
export const headerQuestion = (
  target: string,
  environment: Readonly<Record<string, string | undefined>>,
): Question<CredentialAnswer | undefined> => ({
  flag: 'header',
  hint: 'How do requests show who sends them? A header, with the variable that holds the secret: Authorization: Bearer $ACME_KEY',
  asks: 'Credential',
  wanted: "--header 'Authorization: Bearer $ACME_KEY', with the secret in that variable, or --header none",
  usual: 'none',
  read: (text) => credentialAnswer(text, target, environment),
})

export const probeQuestion: Question<ReadonlyMap<string, string>> = {
  flag: 'probe',
  hint: 'Which requests count, cost little and change nothing? Up to three paths, with spaces between: /items?limit=1 /search?q=a',
  asks: 'Paths',
  wanted: 'a path to ask for that is cheap and changes nothing, such as --probe /items?limit=1; up to three',
  read: (text) => namedProbes(text.split(/\s+/)),
}

export const ciQuestion: Question<CiSystem> = {
  flag: 'ci',
  hint: 'Where do your pipelines run? github, gitlab or none',
  asks: 'Pipelines',
  wanted: '--ci github, --ci gitlab or --ci none',
  usual: 'none',
  read: (text) => oneOf('ci', ciSystems, text),
}

export const discoverQuestion = (requests: number, target: string): Question<boolean> => ({
  flag: 'discover',
  hint: `May ${requests} gentle requests at most go to ${target} now, to see what it says of its limits?`,
  asks: 'yes or no',
  wanted: '--discover, or --no-discover to write what you say and ask nothing',
  read: (text) => /^y(es)?$/.test(oneOf('discover', ['yes', 'no', 'y', 'n'], text)),
})

export const limitQuestion: Question<number> = {
  flag: 'limit',
  asks: 'Most requests in one window',
  wanted: 'the most requests in one window, as the documentation has it, such as --limit 60',
  read(text) {
    if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`--limit ${text}: a whole number of requests, such as 60`)
    return Number(text)
  },
}

export const windowQuestion: Question<string> = {
  flag: 'window',
  asks: 'How long a window is (1s, 1m, 1h)',
  wanted: 'how long the window is that they count in, such as --window 1m',
  read(text) {
    givenFor({ window: text })
    return text
  },
}

/** The fields by which answers tell of limits, where they are not found out. */
export const presetOf = (text: string): PresetName => oneOf('headers', presetNames, text)
