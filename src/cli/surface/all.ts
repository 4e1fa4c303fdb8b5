import { agentSurface } from './agents.js'
import { clientSurface } from './client.js'
import { completionSurface } from './completion.js'
import { discoverSurface, initSurface } from './contracts.js'
import { doctorSurface } from './doctor.js'
import { contractSurface, probesSurface, schemaSurface } from './references.js'
import { planSurface, runSurface } from './runs.js'
import { compareSurface, historySurface, judgeSurface, reportSurface, restoreSurface } from './saved-runs.js'
import { demoSurface, faultsSurface, serveSurface } from './servers.js'
import type { Surface } from './surface.js'

/** Every command, in the order in which help lists them: the parser, help, refusals and completion are made of this. */
export const surfaces: readonly Surface[] = [
  runSurface,
  planSurface,
  doctorSurface,
  restoreSurface,
  judgeSurface,
  reportSurface,
  compareSurface,
  historySurface,
  serveSurface,
  agentSurface,
  clientSurface,
  faultsSurface,
  demoSurface,
  initSurface,
  discoverSurface,
  contractSurface,
  probesSurface,
  schemaSurface,
  completionSurface,
]
