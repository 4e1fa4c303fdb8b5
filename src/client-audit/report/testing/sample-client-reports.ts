import { seededRandom } from '../../../kit/random.js'
import { poison } from '../../../report/testing/attack-report.js'
import { judgeClient } from '../../checks/judge-client.js'
import { decisiveCases, momentOf, type Policy, simulatedAudit } from '../../waits/testing/simulated-audit.js'
import { buildClientReport } from '../build-client-report.js'
import type { ClientReport } from '../model.js'

const namedMs = ({ retryAfter = '', answeredAtMs }: Parameters<Policy>[0]): number | undefined => {
  if (/^[1-9]\d*$/.test(retryAfter)) return Number(retryAfter) * 1000
  const ms = /GMT$/.test(retryAfter) ? momentOf(retryAfter) - answeredAtMs : 0
  return ms > 0 ? ms : undefined
}

/** A client that keeps named waits, gives up on a day, and doubles its own waits five times; with jitter or without. */
const keeping = (jitter: number): Policy => {
  const { float } = seededRandom(3)
  return (seen) => {
    const named = namedMs(seen)
    if (seen.attempt === 5 || (named ?? 0) > 3_600_000) return undefined
    return named === undefined ? 500 * 2 ** seen.attempt * (1 + jitter * float()) : named + 10 + 50 * float()
  }
}

/** A report of an audit that was simulated. */
const simulatedReport = (policy: Policy, cases = decisiveCases): ClientReport => {
  const audit = simulatedAudit(cases, policy)
  return buildClientReport(audit, judgeClient(audit), '0.0.0')
}

/** It earns a B: no quota was played, which an A takes. */
export const goodClient = simulatedReport(keeping(0.5))

/** The same without jitter: a C. */
export const unjitteredClient = simulatedReport(keeping(0))

/** It hammers: an F. */
export const hammeringClient = simulatedReport(({ attempt }) => (attempt < 8 ? 20 : undefined))

/** It never tries again: there is nothing to grade. */
export const onceClient = simulatedReport(() => undefined)

const withOutput: ClientReport = {
  ...hammeringClient,
  plays: hammeringClient.plays.map((play, at) => ({ ...play, output: 'said', sent: at === 0 ? 0 : play.sent })),
}

/** The hammering one with every free string an attack, the output of the command among them. */
export const hostileClient = poison(withOutput) as ClientReport
