import type { Variation } from './variation.js'

/** All conforming variations. */
export const variations: readonly Variation[] = []
