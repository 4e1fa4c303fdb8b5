import type { Evidence } from '../../../evidence/evidence.js'
import type { Answered, Exchange } from '../../../evidence/exchange.js'
import type { Finding, FindingCode } from '../../../verdict/verdict.js'
import { judgeEach, nameOf, type Spread } from '../../readings/answers.js'
import { breach, inconclusive } from '../finding.js'
import type { Need } from '../needs.js'

/** Holds the status of each answer against the only one that is allowed. */
export const expectStatus = (
  evidence: Evidence,
  exchanges: readonly Exchange[],
  status: number,
  need: Need,
  spread: Spread = {},
): Finding<FindingCode> => {
  const refused = exchanges.find((x) => x.response?.status === 429)
  if (refused)
    return inconclusive('no-answer', { case: nameOf(refused), detail: 'status 429, again and again' }, refused)
  const look = (x: Answered) =>
    x.response.status === status
      ? undefined
      : breach('unexpected-status', { case: nameOf(x), expected: String(status), got: x.response.status })
  return judgeEach(evidence, exchanges, need, look, spread)
}

/** The finding where a control was not accepted, and so proves nothing; undefined where all of them were. */
export const failedControl = (controls: readonly Exchange[]): Finding<FindingCode> | undefined => {
  const failed = controls.find((x) => x.response?.status !== 200)
  if (controls.length > 0 && !failed) return undefined
  const got = failed?.response ? String(failed.response.status) : 'no answer'
  return inconclusive('control-failed', { control: failed ? nameOf(failed) : 'none was sent', got }, ...controls)
}
