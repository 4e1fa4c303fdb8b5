import type { Behaviour } from '../behaviour.js'
import { bodies } from './bodies.js'
import { certificates } from './certificates.js'
import { connections } from './connections.js'
import { heads } from './heads.js'
import { limits } from './limits.js'
import { lives } from './lives.js'

/** The bank: every behaviour that quotaspec is known to survive. */
export const behaviours: readonly Behaviour[] = [
  ...connections,
  ...heads,
  ...bodies,
  ...limits,
  ...lives,
  ...certificates,
]
