import type { PresetName } from '../../contract/header-presets.js'
import { UsageError } from '../../kit/usage-error.js'
import { mostRequests } from '../discover/ask-plan.js'
import type { CredentialAnswer } from '../discover/credential-answer.js'
import type { ArgsOf } from '../flags/command.js'
import type { initSurface } from '../flags/contracts.js'
import type { CiSystem } from './ci-systems.js'
import type { Answer } from './question.js'
import { ciQuestion, discoverQuestion, headerQuestion, presetOf, probeQuestion, targetQuestion } from './questions.js'

/** The flags by which questions are answered. */
export type InitFlags = Partial<ArgsOf<typeof initSurface>> & { readonly probe: readonly string[] }

/** What has to be known before anything is asked of the API. */
export interface InitAnswers {
  readonly target: string
  readonly credential: CredentialAnswer | undefined
  readonly probes: ReadonlyMap<string, string>
  readonly ci: CiSystem
  readonly discovers: boolean
  readonly preset: PresetName
}

/** Whether the API may be asked: where nobody says so, it is not. */
const mayDiscover = async (answer: Answer, { discover, headers }: InitFlags, canAsk: boolean, target: string) => {
  if (headers !== undefined) {
    if (discover) throw new UsageError('--headers and --discover contradict each other: what answers show is taken')
    return false
  }
  if (discover !== undefined) return discover
  return canAsk ? await answer(discoverQuestion(mostRequests, target), undefined) : false
}

/** Asks what no flag says. Throws a {@link UsageError} for what can't be used. */
export const initAnswers = async (
  answer: Answer,
  flags: InitFlags,
  { canAsk, environment }: { canAsk: boolean; environment: Readonly<Record<string, string | undefined>> },
): Promise<InitAnswers> => {
  const preset = presetOf(flags.headers ?? 'none')
  const target = await answer(targetQuestion, flags.target)
  const credential = await answer(headerQuestion(target, environment), flags.header)
  const probes = await answer(probeQuestion, flags.probe.length > 0 ? flags.probe.join(' ') : undefined)
  const ci = await answer(ciQuestion, flags.ci)
  const discovers = await mayDiscover(answer, flags, canAsk, target)
  if (discovers && credential && credential.secret === undefined) {
    throw new UsageError(
      `--header: ${credential.spec.env} is not set in the environment, and to discover takes the credential: set it, or leave --discover out`,
    )
  }
  return { target, credential, probes, ci, discovers, preset }
}
