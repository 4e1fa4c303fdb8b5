import type { Evidence } from '../../evidence/evidence.js'
import type { Answered, Exchange } from '../../evidence/exchange.js'
import { nameOf } from '../readings/answers.js'
import { type Broken, breach, inconclusive } from './finding.js'
import { judgeAnswers, refusedAgain } from './judge-answers.js'
import type { Spread } from './judge-cases.js'
import type { Need } from './needs.js'
import type { SentencesOf } from './sentences.js'

/** The breach that a status is which no other may stand in for. */
export const unexpectedStatus = (x: Answered, expected: string) =>
  breach('unexpected-status', { case: nameOf(x), expected, got: x.response.status })

/** Holds the status of each answer against the only one that is allowed. */
export const expectStatus = (
  evidence: Evidence,
  exchanges: readonly Exchange[],
  status: number,
  need: Need,
  spread: Spread<Answered> = {},
) => {
  const refused = exchanges.find((x) => x.response?.status === 429)
  if (refused) return refusedAgain(nameOf(refused), refused)
  const look = (x: Answered) => (x.response.status === status ? undefined : unexpectedStatus(x, String(status)))
  return judgeAnswers(evidence, exchanges, need, look, spread)
}

/** The finding where a control, which differs from the case in one thing only, was not accepted, and so proves nothing. */
export const controlFailed = (control: string, got: string, ...controls: readonly Exchange[]) =>
  inconclusive('control-failed', { control, got }, ...controls)

/** The same of controls that were all to be accepted; undefined where they were. */
export const failedControl = (controls: readonly Exchange[]) => {
  const failed = controls.find((x) => x.response?.status !== 200)
  if (controls.length > 0 && !failed) return undefined
  const got = failed?.response ? String(failed.response.status) : 'no answer'
  return controlFailed(failed ? nameOf(failed) : 'none was sent', got, ...controls)
}

export const statusSentences = {
  'unexpected-status': (f) => `${f.case} was answered ${f.got}, where ${f.expected} is due`,
  'control-failed': (f) =>
    `the control was not accepted (${f.control}: ${f.got}), so the cases beside it prove nothing`,
} satisfies SentencesOf<Broken<ReturnType<typeof unexpectedStatus>> | ReturnType<typeof controlFailed>>
