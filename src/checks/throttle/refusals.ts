import type { Evidence } from '../../evidence/evidence.js'
import { type RateReading, rateReadings } from '../../limits/readings/rate-readings.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { statusKinds } from '../law/asking-probes.js'
import { type Breach, fail } from '../law/finding.js'
import { concluded, type Need, tellingCases } from '../law/needs.js'

const mostWitnesses = 20

/** Looks at every 429 of the run. */
export const judgeRefusals = (
  evidence: Evidence,
  need: Need,
  breachOf: (reading: RateReading) => Breach | undefined,
): Finding<FindingCode> => {
  const telling = tellingCases()
  const breaches: { breach: Breach; reading: RateReading }[] = []
  for (const reading of rateReadings(evidence)) {
    if (reading.status !== 429) continue
    const found = breachOf(reading)
    if (found) breaches.push({ breach: found, reading })
    else telling.add(reading.witness, '429')
  }
  const [first] = breaches
  if (first) {
    const facts = { ...first.breach.facts, others: breaches.length - 1 }
    const shown = breaches.slice(0, mostWitnesses).map(({ reading }) => reading.witness)
    return fail(first.breach.code, facts as never, ...shown)
  }
  return concluded(evidence, need, telling, { kinds: statusKinds(429) })
}
