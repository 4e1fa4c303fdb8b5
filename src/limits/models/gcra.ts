import type { Tally } from '../counting/tally.js'
import type { Explanation } from './explanation.js'
import { explainTokenBucket } from './token-bucket.js'

/**
 * Generic cell rate algorithm (ITU-T I.371), emission interval W/L, tolerance (L - 1)W/L. It decides as a token
 * bucket of capacity L does (the leaky bucket's mirror), so the same conditions hold.
 */
export const explainGcra: (tally: Tally) => Explanation = explainTokenBucket
