import type { Audit } from '../../evidence/arrivals.js'
import { type Noise, noiseOf } from './noise.js'
import { type Story, storiesOf } from './story.js'

/** What every check of a client reads: the audit, and its plays told one by one. */
export interface ClientEvidence {
  readonly audit: Audit
  readonly stories: readonly Story[]
  readonly noise: Noise
}

/** An audit, told play by play. */
export const clientEvidence = (audit: Audit): ClientEvidence => ({
  audit,
  stories: storiesOf(audit),
  noise: noiseOf(audit.beats),
})
