import type { Evidence } from '../../../evidence/evidence.js'
import type { Witness } from '../../../kit/witness.js'
import { type RateReading, rateReadings } from '../../../limits/readings/rate-readings.js'
import type { Finding, FindingCode } from '../../../verdict/verdict.js'
import { type Breach, fail } from '../finding.js'
import { concluded, type Kinds, type Need, tellingCases } from '../needs.js'

const mostWitnesses = 20

export interface ReadingSpread {
  readonly kinds?: Kinds
  readonly kindOf?: (reading: RateReading) => string | undefined
}

/**
 * Looks at each reading of the headers, of single exchanges and of loads. `look` gives a breach, nothing where the
 * promise is kept, or `skip` where it does not speak of this answer, or could not have been seen broken in it.
 */
export const judgeReadings = (
  evidence: Evidence,
  need: Need,
  look: (reading: RateReading) => Breach | undefined | 'skip',
  { kinds, kindOf }: ReadingSpread = {},
): Finding<FindingCode> => {
  let first: Breach | undefined
  let breaches = 0
  const telling = tellingCases()
  const witnesses: Witness[] = []
  for (const reading of rateReadings(evidence)) {
    const found = look(reading)
    if (found === 'skip') continue
    if (!found) {
      telling.add(reading.witness, kindOf?.(reading))
      continue
    }
    first ??= found
    breaches += 1
    if (witnesses.length < mostWitnesses) witnesses.push(reading.witness)
  }
  if (first) return fail(first.code, { ...first.facts, others: breaches - 1 } as never, ...witnesses)
  return concluded(evidence, need, telling, { kinds })
}
