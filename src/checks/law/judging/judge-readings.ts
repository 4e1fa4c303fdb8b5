import type { Evidence } from '../../../evidence/evidence.js'
import { type RateReading, rateReadings } from '../../../limits/readings/rate-readings.js'
import { statusKinds } from '../asking-probes.js'
import type { Need } from '../needs.js'
import { type CaseVerdict, judgeCases, type Spread } from './judge-cases.js'

/** Looks at each reading of the headers, of single exchanges and of loads. */
export const judgeReadings = <V extends CaseVerdict>(
  evidence: Evidence,
  need: Need,
  look: (reading: RateReading) => V,
  spread: Spread<RateReading> = {},
) =>
  judgeCases(evidence, rateReadings(evidence), need, look, {
    ...spread,
    witnessOf: ({ witness }) => witness,
    mostWitnesses: 20,
  })

/** Looks at those of every 429 of the run. */
export const judgeRefusals = <V extends CaseVerdict>(
  evidence: Evidence,
  need: Need,
  look: (reading: RateReading) => V,
) =>
  judgeReadings(evidence, need, (reading) => (reading.status === 429 ? look(reading) : 'skip'), {
    kinds: statusKinds(429),
    kindOf: () => '429',
  })
