import { petstoreProbes } from './petstore/all.js'
import type { Probe } from './probe.js'
import { ban } from './profiles/ban.js'
import { boundary } from './profiles/boundary.js'
import { burst } from './profiles/burst.js'
import { coldStart } from './profiles/cold-start.js'
import { compliantClients } from './profiles/compliant-clients.js'
import { cost } from './profiles/cost.js'
import { exhaustion } from './profiles/exhaustion.js'
import { isolation } from './profiles/isolation.js'
import { lastSlot } from './profiles/last-slot.js'
import { otherRequests } from './profiles/other-requests.js'
import { overload } from './profiles/overload.js'
import { recovery } from './profiles/recovery.js'
import { split } from './profiles/split.js'
import { spread } from './profiles/spread.js'
import { steady } from './profiles/steady.js'
import { whileRefused } from './profiles/while-refused.js'
import { headerRow } from './requests/header-row.js'
import { hello } from './requests/hello.js'

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
