import type { Asked, Discovered } from '../../contract/discovered.js'
import { writeContract } from '../../contract/file/write-contract.js'
import { systemClock } from '../../kit/clock.js'
import { type Discovery, discoverApi } from '../discover/discover-api.js'
import { summaryOf } from '../discover/summary.js'
import { givenFor } from '../discover/with-given.js'
import type { InitAnswers, InitFlags } from './init-answers.js'
import type { Answer } from './question.js'
import { limitQuestion, windowQuestion } from './questions.js'
import { statedContract } from './stated-contract.js'

export interface Learned {
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
