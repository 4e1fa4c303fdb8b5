import type { Evidence } from '../../evidence/evidence.js'
import { type RateReading, rateReadings } from '../../limits/rate-readings.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { type Breach, fail, notTested, pass } from '../finding.js'

/** Looks at every 429 of the run. */
export const judgeRefusals = (
  evidence: Evidence,
  breachOf: (reading: RateReading) => Breach | undefined,
): Finding<FindingCode> => {
  const refusals: RateReading[] = []
  const breaches: { breach: Breach; reading: RateReading }[] = []
  let answered = 0
  for (const reading of rateReadings(evidence)) {
    answered += 1
    if (reading.status !== 429) continue
    if (refusals.length < 3) refusals.push(reading)
    const found = breachOf(reading)
    if (found) breaches.push({ breach: found, reading })
  }
  const [first] = breaches
  if (first) {
    const facts = { ...first.breach.facts, others: breaches.length - 1 }
    return fail(first.breach.code, facts as never, ...breaches.slice(0, 20).map(({ reading }) => reading.witness))
  }
  if (refusals.length === 0) return notTested('never-refused', { sent: answered })
  return pass('held', { examined: refusals.length }, ...refusals.map(({ witness }) => witness))
}
