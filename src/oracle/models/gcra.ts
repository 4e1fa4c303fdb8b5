import type { Tally } from '../counting/tally.js'
import type { Explanation } from './explanation.js'
import { explainTokenBucket } from './token-bucket.js'

/**
 * Generic cell rate algorithm (ITU-T I.371): each request moves a theoretical arrival time on by W/L, and is admitted
 * while that lies at most (L - 1)W/L ahead. With 60 a minute: one a second, and up to 60 at once. It decides as a token
 * bucket of capacity L does, so the same conditions hold.
 */
export const explainGcra: (tally: Tally) => Explanation = explainTokenBucket
