import { headerPresets, type PresetName, presetNames } from '../../contract/header-presets.js'
import { systemClock } from '../../kit/clock.js'
import { countedByAddress, neverRefused } from './conclude.js'
import { atHand } from './credential.js'
import { callersOf, type Discovery, discoverApi, givenFor, specsOf, summaryOf } from './discover-api.js'
import type { Asked, Discovered } from './discovered.js'
import {
  type Answer,
  type InitAnswers,
  type InitFlags,
  limitQuestion,
  type Question,
  windowQuestion,
} from './init-questions.js'
import { writeContract } from './write-contract.js'

const said = 'as you said'

/** What is known of an API of which nothing was asked: what the user said, and nothing else. */
const statedContract = (hasCredential: boolean, probes: readonly string[], preset: PresetName): Discovered => ({
  preset,
  fields: headerPresets[preset].map((field) => ({ field, because: said })),
  ...neverRefused,
  anonymous: undefined,
  quotas: [
    {
      id: 'core',
      by: hasCredential
        ? { is: 'credential', because: 'the usual way; address where all callers of an address are counted together' }
        : countedByAddress,
      limit: undefined,
      windowMs: undefined,
      requests: { is: probes, because: 'as you named them: what counts against it together' },
      cost: undefined,
      policy: undefined,
    },
  ],
  unknown: [
    'all but what you said: nothing was asked of the API, which is what quotaspec discover does',
    ...(preset === 'none'
      ? [
          `which fields of its answers tell of limits, if any: headers takes ${presetNames.join(', ')}, or a list of fields`,
        ]
      : []),
  ],
})

interface Learned {
  readonly asked: Asked
  readonly found: Discovered
  /** What asking came to, for the terminal; undefined where nothing was asked. */
  readonly summary: string | undefined
}

/** What the user said, where the API is not to be asked. */
const stated = ({ target, credentials, probes, preset }: InitAnswers): Learned => {
  const named = [...probes].map(([name, path]) => [name, { path, status: null }] as const)
  return {
    asked: { target, credentials: specsOf(credentials), requests: Object.fromEntries(named), asked: 0 },
    found: statedContract(credentials.size > 0, [...probes.keys()], preset),
    summary: undefined,
  }
}

/** Learns of the API what it shows, or what was said of it. */
export const learn = async (
  answers: InitAnswers,
  { safety, signal }: Pick<Discovery, 'safety' | 'signal'>,
): Promise<Learned> => {
  if (!answers.discovers) return stated(answers)
  const { target, probes } = answers
  const credentials = atHand(answers.credentials)
  const api = await discoverApi({ target, probes, credentials, safety, clock: systemClock, signal })
  return { ...api, summary: summaryOf(api) }
}

/**
 * The contract file. Asks for limit and window where they are still not known. Where nobody can be asked, what was learned of the
 * API is not thrown away for that: they are left empty, and told as gaps.
 */
export const settledContract = async (
  answer: Answer,
  { asked, found }: Learned,
  flags: Pick<InitFlags, 'limit' | 'window'>,
  canAsk: boolean,
) => {
  const isKept = asked.asked > 0 && !canAsk
  const settle = async <T>(key: 'limit' | 'windowMs', question: Question<T>, given: string | undefined) => {
    const isKnown = found.quotas.every((quota) => quota[key] !== undefined)
    return isKnown || (given === undefined && isKept) ? undefined : await answer(question, given)
  }
  const limit = await settle('limit', limitQuestion, flags.limit)
  const window = await settle('windowMs', windowQuestion, flags.window)
  const fill = givenFor({ limit, window })
  const filled = fill(found, callersOf(asked))
  const gaps = filled.quotas.flatMap((quota) => [
    ...(quota.limit ? [] : [`limit of ${quota.id}`]),
    ...(quota.windowMs ? [] : [`window of ${quota.id}`]),
  ])
  return { contract: writeContract(asked, filled), gaps }
}
