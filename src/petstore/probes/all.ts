import type { Probe } from '../../probes/probe.js'
import { accounting } from './accounting.js'
import { badKeys } from './bad-keys.js'
import { daily } from './daily.js'
import { hardInput } from './hard-input.js'
import { invalidBodies } from './invalid-bodies.js'
import { keyBeforeBody } from './key-before-body.js'
import { keyElsewhere } from './key-elsewhere.js'
import { looseRequests } from './loose-requests.js'
import { modelWalk } from './model-walk.js'
import { neighbourIds } from './neighbour-ids.js'
import { noKey } from './no-key.js'
import { otherOperations } from './other-operations.js'
import { quantityBounds } from './quantity-bounds.js'
import { readWriteRead } from './read-write-read.js'
import { samePlan } from './same-plan.js'
import { schemeCase } from './scheme-case.js'
import { unknownPath } from './unknown-path.js'
import { unknownPet } from './unknown-pet.js'

/** The probes that know the bundled interface: its inventory, its keys and its days. */
export const petstoreProbes: readonly Probe[] = [
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
  samePlan,
  daily,
]
