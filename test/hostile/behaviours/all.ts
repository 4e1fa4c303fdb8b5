import type { Behaviour } from '../behaviour.js'
import { bodies } from './bodies.js'
import { bulky } from './bulky.js'
import { certificates } from './certificates.js'
import { connections } from './connections.js'
import { heads } from './heads.js'
import { limits } from './limits.js'
import { lives } from './lives.js'
import { stopping } from './stopping.js'

/** The bank: every behaviour that quotaspec is known to survive. */
export const behaviours: readonly Behaviour[] = [
  ...connections,
  ...heads,
  ...bodies,
  ...bulky,
  ...limits,
  ...lives,
  // Late enough that hello is served, and that a load has begun.
  ...stopping(4),
  ...certificates,
]
