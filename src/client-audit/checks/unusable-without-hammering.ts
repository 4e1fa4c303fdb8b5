import { pass } from '../../checks/framework/finding.js'
import { hammeringIn } from '../waits/hammering.js'
import { lonelyCases } from '../waits/waits.js'
import { defineBackoffCheck } from './client-check.js'
import { caseNotPlayed, hammersFinding } from './shared-findings.js'

/** A `Retry-After` that is malformed, past, negative or huge does not make it hammer. */
export const unusableWithoutHammering = defineBackoffCheck({
  id: 'client.unusable-without-hammering',
  promise: 'a Retry-After that is malformed, past, negative or huge does not make it hammer',
  clauses: ['CLIENT-4'],
  judge(evidence) {
    const cases = lonelyCases(evidence.stories).filter(
      ({ named }) => named.kind === 'unusable' || named.kind === 'huge',
    )
    if (cases.length === 0) {
      return caseNotPlayed('a Retry-After that can not be used')
    }
    const [hammered] = hammeringIn(
      cases.flatMap(({ stories }) => stories),
      evidence,
    )
    if (hammered) return hammersFinding(hammered)
    return pass('held', { examined: cases.length })
  },
})
