import type { Evidence } from '../../evidence/evidence.js'
import { type RateReading, rateReadings } from '../../limits/rate-readings.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { type Breach, fail, inconclusive, pass } from '../finding.js'

const mostWitnesses = 20

/**
 * Looks at each reading of the headers, of single exchanges and of loads. `breachOf` gives a breach, nothing where
 * the promise is kept, or `skip` where it does not speak of this answer.
 */
export const judgeReadings = (
  evidence: Evidence,
  wanted: string,
  breachOf: (reading: RateReading) => Breach | undefined | 'skip',
): Finding<FindingCode> => {
  let first: Breach | undefined
  let breaches = 0
  let examined = 0
  const witnesses: string[] = []
  for (const reading of rateReadings(evidence)) {
    const found = breachOf(reading)
    if (found === 'skip') continue
    examined += 1
    if (!found) continue
    first ??= found
    breaches += 1
    if (witnesses.length < mostWitnesses) witnesses.push(reading.witness)
  }
  if (first) return fail(first.code, { ...first.facts, others: breaches - 1 } as never, ...witnesses)
  if (examined === 0) return inconclusive('nothing-to-judge', { wanted })
  return pass('held', { examined })
}
