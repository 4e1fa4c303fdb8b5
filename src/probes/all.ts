import { accounting } from './petstore/accounting.js'
import { badKeys } from './petstore/bad-keys.js'
import { daily } from './petstore/daily.js'
import { hardInput } from './petstore/hard-input.js'
import { invalidBodies } from './petstore/invalid-bodies.js'
import { keyBeforeBody } from './petstore/key-before-body.js'
import { keyElsewhere } from './petstore/key-elsewhere.js'
import { looseRequests } from './petstore/loose-requests.js'
import { modelWalk } from './petstore/model-walk.js'
import { neighbourIds } from './petstore/neighbour-ids.js'
import { noKey } from './petstore/no-key.js'
import { otherOperations } from './petstore/other-operations.js'
import { quantityBounds } from './petstore/quantity-bounds.js'
import { readWriteRead } from './petstore/read-write-read.js'
import { samePlan } from './petstore/same-plan.js'
import { schemeCase } from './petstore/scheme-case.js'
import { unknownPath } from './petstore/unknown-path.js'
import { unknownPet } from './petstore/unknown-pet.js'
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
import { steady } from './profiles/steady.js'
import { whileRefused } from './profiles/while-refused.js'
import { headerRow } from './requests/header-row.js'
import { hello } from './requests/hello.js'

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
