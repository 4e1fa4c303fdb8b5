import type { Step } from './remaining-steps.js'

/** An answer that showed what is left, and when the quota renews. */
export interface ToldStep extends Step {
  readonly aheadS: number
  readonly resetAtS: number
}
