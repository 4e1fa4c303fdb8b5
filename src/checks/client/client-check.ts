import { type Noise, noiseOf } from '../../backoff/noise.js'
import { type Story, storiesOf, triesAgain } from '../../backoff/story.js'
import type { ClauseId, Level } from '../../contract/clauses.js'
import type { Audit } from '../../evidence/arrivals.js'
import { type ClientFinding, clientFinding } from '../../verdict/client-finding.js'

/** What every check of a client reads: the audit, and its plays told one by one. */
export interface ClientEvidence {
  readonly audit: Audit
  readonly stories: readonly Story[]
  readonly noise: Noise
}

/** A promise that a client keeps, and a pure judgement from arrivals. */
export interface ClientCheck {
  /** Permanent: `client.` and the name of its file. */
  readonly id: string
  readonly promise: string
  readonly clause: ClauseId
  /** Where it is milder than its clause. */
  readonly level?: Level
  judge(evidence: ClientEvidence): ClientFinding
}

/** What a check came to. */
export interface ClientCheckResult {
  readonly check: ClientCheck
  readonly level: Level
  readonly finding: ClientFinding
}

/** An audit, told play by play. */
export const clientEvidence = (audit: Audit): ClientEvidence => ({
  audit,
  stories: storiesOf(audit),
  noise: noiseOf(audit.beats),
})

/** Why nothing can be said at all, where that is so: no request came, none showed the key, or none came again. */
export const nothingToJudge = ({ audit, stories }: ClientEvidence): ClientFinding | undefined => {
  if (audit.arrivals.length === 0) return clientFinding('inconclusive', 'never-arrived', {})
  const stranger = audit.arrivals.find(({ credential }) => credential !== 'bearer')
  if (stranger && stories.every(({ arrivals }) => arrivals.length === 0)) {
    return clientFinding('not-tested', 'no-bearer', noBearerFacts(audit, stranger), stranger)
  }
  if (!stories.some(triesAgain)) return clientFinding('inconclusive', 'never-tries-again', {})
  return undefined
}

/** The facts of a request that did not show the key as it should. */
export const noBearerFacts = (audit: Audit, arrival: Audit['arrivals'][number]) => ({
  case: audit.plays.find(({ id }) => id === arrival.play)?.case ?? arrival.play,
  shown: arrival.credential === 'none' ? 'nothing' : 'something else',
})
