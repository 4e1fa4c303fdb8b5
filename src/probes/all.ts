import type { Probe } from './probe.js'
import { ban } from './profiles/ban.js'
import { boundary } from './profiles/boundary.js'
import { burst } from './profiles/burst.js'
import { coldStart } from './profiles/cold-start.js'
import { compliantClients } from './profiles/compliant-clients.js'
import { cost } from './profiles/cost.js'
import { daily } from './profiles/daily.js'
import { exhaustion } from './profiles/exhaustion.js'
import { isolation } from './profiles/isolation.js'
import { lastSlot } from './profiles/last-slot.js'
import { otherRequests } from './profiles/other-requests.js'
import { overload } from './profiles/overload.js'
import { recovery } from './profiles/recovery.js'
import { samePlan } from './profiles/same-plan.js'
import { split } from './profiles/split.js'
import { spread } from './profiles/spread.js'
import { steady } from './profiles/steady.js'
import { whileRefused } from './profiles/while-refused.js'
import { accounting } from './requests/accounting.js'
import { badKeys } from './requests/bad-keys.js'
import { hardInput } from './requests/hard-input.js'
import { headerRow } from './requests/header-row.js'
import { hello } from './requests/hello.js'
import { invalidBodies } from './requests/invalid-bodies.js'
import { keyBeforeBody } from './requests/key-before-body.js'
import { keyElsewhere } from './requests/key-elsewhere.js'
import { looseRequests } from './requests/loose-requests.js'
import { modelWalk } from './requests/model-walk.js'
import { neighbourIds } from './requests/neighbour-ids.js'
import { noKey } from './requests/no-key.js'
import { otherOperations } from './requests/other-operations.js'
import { quantityBounds } from './requests/quantity-bounds.js'
import { readWriteRead } from './requests/read-write-read.js'
import { schemeCase } from './requests/scheme-case.js'
import { unknownPath } from './requests/unknown-path.js'
import { unknownPet } from './requests/unknown-pet.js'

/** Every probe, by area. A scenario says which of them are played, and in what order. */
export const probes: readonly Probe[] = [
  hello,
  headerRow,
  readWriteRead,
  neighbourIds,
  invalidBodies,
  unknownPet,
  noKey,
  badKeys,
  keyBeforeBody,
  schemeCase,
  keyElsewhere,
  quantityBounds,
  looseRequests,
  otherOperations,
  modelWalk,
  unknownPath,
  hardInput,
  accounting,
  exhaustion,
  isolation,
  samePlan,
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
  daily,
]

export const findProbe = (id: string): Probe | undefined => probes.find((probe) => probe.id === id)
