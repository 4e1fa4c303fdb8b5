import { hammeringIn } from '../../backoff/own-waits/hammering.js'
import { lonelyCases } from '../../backoff/own-waits/waits.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'
import { hammersFinding } from './waits-grow.js'

/** A `Retry-After` that is malformed, past, negative or huge does not make it hammer. */
export const unusableWithoutHammering: ClientCheck = {
  id: 'client.unusable-without-hammering',
  promise: 'a Retry-After that is malformed, past, negative or huge does not make it hammer',
  clause: 'CLIENT-4',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const cases = lonelyCases(evidence.stories).filter(
      ({ named }) => named.kind === 'unusable' || named.kind === 'huge',
    )
    if (cases.length === 0) {
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a Retry-After that can not be used' })
    }
    const [hammered] = hammeringIn(
      cases.flatMap(({ stories }) => stories),
      evidence.noise,
    )
    if (hammered) return hammersFinding(hammered)
    return clientFinding('pass', 'held', { examined: cases.length })
  },
}
