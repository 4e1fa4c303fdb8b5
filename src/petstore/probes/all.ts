import type { Probe } from '../../probes/probe.js'
import { daily } from './daily.js'
import { badKeys, keyBeforeBody, keyElsewhere, noKey, schemeCase } from './keys.js'
import { modelWalk } from './model-walk.js'
import { neighbourIds } from './neighbour-ids.js'
import { accounting, hardInput, looseRequests, otherOperations, unknownPath } from './odd-requests.js'
import { samePlan } from './same-plan.js'
import { invalidBodies, quantityBounds, readWriteRead, unknownPet } from './updates.js'

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
