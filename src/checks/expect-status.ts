import type { Exchange } from '../evidence/exchange.js'
import type { Finding, FindingCode } from '../verdict/verdict.js'
import { judgeEach, nameOf } from './answers.js'
import { breach, inconclusive } from './finding.js'

/** Holds the status of each answer against the only one that is allowed. */
export const expectStatus = (exchanges: readonly Exchange[], status: number, wanted: string): Finding<FindingCode> => {
  const refused = exchanges.find((x) => x.response?.status === 429)
  if (refused)
    return inconclusive('no-answer', { case: nameOf(refused), detail: 'status 429, again and again' }, refused)
  return judgeEach(exchanges, wanted, (x) =>
    x.response.status === status
      ? undefined
      : breach('unexpected-status', { case: nameOf(x), expected: String(status), got: x.response.status }),
  )
}

/** The finding where a control was not accepted, and so proves nothing; undefined where all of them were. */
export const failedControl = (controls: readonly Exchange[]): Finding<FindingCode> | undefined => {
  const failed = controls.find((x) => x.response?.status !== 200)
  if (controls.length > 0 && !failed) return undefined
  const got = failed?.response ? String(failed.response.status) : 'no answer'
  return inconclusive('control-failed', { control: failed ? nameOf(failed) : 'none was sent', got }, ...controls)
}
