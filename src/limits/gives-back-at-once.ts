import type { ModelName } from '../contract/any/limiter-models.js'
import type { JudgedKey } from './judged-keys.js'

/** Limiters whose quota returns all at once, at the end of the window. In the others it comes back bit by bit. */
const returningAtOnce: ReadonlySet<ModelName> = new Set([
  'fixed-window',
  'fixed-window-first-request',
  'interval-refill',
  'interval-refill-idle',
])

/** Whether only limiters that give all back at once explain what was seen of the key. */
export const givesBackAtOnce = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && judgement.models.every((model) => returningAtOnce.has(model))
