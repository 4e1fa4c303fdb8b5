import { accounting } from './accounting.js'
import { badKeys } from './bad-keys.js'
import { ban } from './ban.js'
import { boundary } from './boundary.js'
import { burst } from './burst.js'
import { coldStart } from './cold-start.js'
import { compliantClients } from './compliant-clients.js'
import { cost } from './cost.js'
import { daily } from './daily.js'
import { exhaustion } from './exhaustion.js'
import { hardInput } from './hard-input.js'
import { headerRow } from './header-row.js'
import { hello } from './hello.js'
import { invalidBodies } from './invalid-bodies.js'
import { isolation } from './isolation.js'
import { keyBeforeBody } from './key-before-body.js'
import { keyElsewhere } from './key-elsewhere.js'
import { lastSlot } from './last-slot.js'
import { looseRequests } from './loose-requests.js'
import { modelWalk } from './model-walk.js'
import { neighbourIds } from './neighbour-ids.js'
import { noKey } from './no-key.js'
import { otherOperations } from './other-operations.js'
import { overload } from './overload.js'
import type { Probe } from './probe.js'
import { quantityBounds } from './quantity-bounds.js'
import { readWriteRead } from './read-write-read.js'
import { recovery } from './recovery.js'
import { samePlan } from './same-plan.js'
import { schemeCase } from './scheme-case.js'
import { split } from './split.js'
import { steady } from './steady.js'
import { unknownPath } from './unknown-path.js'
import { unknownPet } from './unknown-pet.js'
import { whileRefused } from './while-refused.js'

/** Every probe, in the order in which a scenario that names none in particular plays them. */
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
