import { headerPresets, type PresetName, presetNames } from '../../contract/header-presets.js'
import { systemClock } from '../../kit/clock.js'
import { type Discovery, discoverApi, givenFor, summaryOf } from './discover-api.js'
import type { Asked, Discovered } from './discovered.js'
import { type Answer, type InitAnswers, type InitFlags, limitQuestion, windowQuestion } from './init-questions.js'
import { writeContract } from './write-contract.js'

interface Stated {
  readonly hasCredential: boolean
  /** The names of what is asked for. */
  readonly probes: readonly string[]
  readonly preset: PresetName
}

const said = 'as you said'

/** What is known of an API of which nothing was asked: what the user said, and nothing else. */
const statedContract = ({ hasCredential, probes, preset }: Stated): Discovered => ({
  preset,
  fields: headerPresets[preset].map((field) => ({ field, because: said })),
  retryAfter: {
    is: { as: ['seconds', 'http-date'], level: 'observe' },
    because: 'no refusal was seen: what comes is only reported until this says level: must, or none',
  },
  refusals: {
    is: [{ is: 'quota', status: [429], when: {} }],
    because: 'no refusal was seen; 429 is what RFC 6585 has for it',
  },
  anonymous: undefined,
  quotas: [
    {
      id: 'core',
      by: hasCredential
        ? { is: 'credential', because: 'the usual way; address where all callers of an address are counted together' }
        : { is: 'address', because: 'nothing but the address tells callers without a credential apart' },
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
const stated = ({ target, credential, probes, preset }: InitAnswers): Learned => {
  const named = [...probes].map(([name, path]) => [name, { path, status: null }] as const)
  return {
    asked: { target, credential: credential?.spec, requests: Object.fromEntries(named), asked: 0 },
    found: statedContract({ hasCredential: credential !== undefined, probes: [...probes.keys()], preset }),
    summary: undefined,
  }
}

/** Learns of the API what it shows, or what was said of it. */
export const learn = async (
  answers: InitAnswers,
  { safety, signal }: Pick<Discovery, 'safety' | 'signal'>,
): Promise<Learned> => {
  if (!answers.discovers) return stated(answers)
  const { target, probes, credential } = answers
  const known = credential?.secret === undefined ? undefined : { spec: credential.spec, secret: credential.secret }
  const api = await discoverApi({ target, probes, credential: known, safety, clock: systemClock, signal })
  return { ...api, summary: summaryOf(api) }
}

/** The contract file. Asks for limit and window where they are still not known. */
export const settledContract = async (
  answer: Answer,
  { asked, found }: Learned,
  flags: Pick<InitFlags, 'limit' | 'window'>,
): Promise<string> => {
  const lacks = (key: 'limit' | 'windowMs') => found.quotas.some((quota) => quota[key] === undefined)
  const limit = lacks('limit') ? await answer(limitQuestion, flags.limit) : undefined
  const window = lacks('windowMs') ? await answer(windowQuestion, flags.window) : undefined
  const fill = givenFor({ limit, window })
  return writeContract(asked, fill(found, asked.credential ? ['key'] : ['anon']))
}
