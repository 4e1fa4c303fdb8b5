import { petstoreProbes } from '../../petstore/probes/all.js'
import type { Probe } from '../../probes/probe.js'
import { ban } from '../../probes/profiles/ban.js'
import { boundary } from '../../probes/profiles/boundary.js'
import { burst } from '../../probes/profiles/burst.js'
import { coldStart } from '../../probes/profiles/cold-start.js'
import { compliantClients } from '../../probes/profiles/compliant-clients.js'
import { cost } from '../../probes/profiles/cost.js'
import { exhaustion } from '../../probes/profiles/exhaustion.js'
import { isolation } from '../../probes/profiles/isolation.js'
import { lastSlot } from '../../probes/profiles/last-slot.js'
import { otherRequests } from '../../probes/profiles/other-requests.js'
import { overload, steady } from '../../probes/profiles/paced.js'
import { recovery } from '../../probes/profiles/recovery.js'
import { headerRow, hello } from '../../probes/profiles/single-requests.js'
import { split } from '../../probes/profiles/split.js'
import { spread } from '../../probes/profiles/spread.js'
import { whileRefused } from '../../probes/profiles/while-refused.js'

/** The probes that need nothing but a quota: they are played for every quota of a contract file. */
export const quotaProbes: readonly Probe[] = [
  hello,
  headerRow,
  exhaustion,
  isolation,
  burst,
  otherRequests,
  split,
  spread,
  coldStart,
  lastSlot,
  boundary,
  steady,
  recovery,
  overload,
  compliantClients,
  whileRefused,
  cost,
  ban,
]

/** Every probe. A scenario says which of them are played, and in what order. */
export const probes: readonly Probe[] = [...quotaProbes, ...petstoreProbes]

export const findProbe = (id: string): Probe | undefined => probes.find((probe) => probe.id === id)
