import { jsonOf, nameOf } from '../../checks/framework/answers.js'
import { defineCheck } from '../../checks/framework/check.js'
import { breach, fail, inconclusive, notTested, pass } from '../../checks/framework/finding.js'
import { controlFailed, judgeBodies, unexpectedStatus, unlessUnread } from '../../checks/framework/judge-cases.js'
import { eachOf, type Kinds, nothingTold } from '../../checks/framework/needs.js'
import { changedPets } from '../../contract/petstore/inventory-model.js'
import { answersOf, type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { type Exchange, isAnswered } from '../../evidence/exchange.js'
import { formatClosely } from '../../kit/words.js'
import {
  elementsOf,
  emptyAtFirst,
  holesIn,
  idTwice,
  isListing,
  isUpdated,
  loadedLists,
  quantitiesOf,
  statusesOf,
} from '../listed-pets.js'
import { writesShownOtherwise } from './writes-shown-otherwise.js'

export const list = defineCheck({
  id: 'inventory.list',
  promise: 'GET /inventory with a valid key answers 200 with an array of all entries.',
  clauses: ['INV-1'],
  advice: 'Check what GET /inventory returns: a bare array, with status 200, which no read of the store cuts short.',
  alone: eachOf('header-row', 'read-write-read'),
  needs: { cases: 'readings of the list' },
  judge(evidence, telling) {
    // After a load has spent the key, a status other than 429 is THROTTLE-1's matter.
    const loads = new Set(evidence.ledgers.map(({ head }) => head.probe))
    const asked = evidence.exchanges.filter(
      (x) =>
        !loads.has(x.probe) &&
        x.operation === 'listInventory' &&
        x.credential === 'bearer' &&
        x.response?.status !== 429,
    )
    const accepted = exchangesOf(evidence, 'hello').filter((x) => x.response?.status === 401)
    const rejectedKeys = new Set(accepted.map((x) => x.key))
    const found = judgeBodies(
      telling,
      asked.filter((x) => !rejectedKeys.has(x.key)),
      (x) => {
        const { status } = x.response
        // A ban rejects a valid key; that is judged where bans are.
        if (status === 403) return 'left-out'
        if (status !== 200) return unexpectedStatus(x, '200')
        const reading = jsonOf(x)
        if (!reading.ok && reading.reason === 'too-deep') return 'left-out'
        return reading.ok && Array.isArray(reading.value) ? undefined : breach('list-is-no-array', { case: nameOf(x) })
      },
    )
    if (found.verdict === 'fail') return found
    const loaded = loadedLists(evidence)
    const otherwise = loaded.find(({ value }) => !Array.isArray(value))
    if (otherwise) return fail('list-is-no-array', { case: 'GET /inventory in a load' }, otherwise.witness)
    const [begun, later] = emptyAtFirst(evidence)
    if (later) {
      const isFilledBefore = begun[1].endedAt < later[0].sentAt
      return (isFilledBefore ? fail : inconclusive)('empty-at-first', { isFilledBefore }, ...begun, ...later)
    }
    const holes = holesIn(evidence)
    if (holes.length === 0) return found
    const lists = evidence.exchanges.filter(isListing).length + loaded.length
    const facts = { petId: holes[0].petId, holes: holes.length, lists }
    return fail('entries-left-out', facts, ...new Set(holes.flatMap(({ listings }) => listings)))
  },
  sentences: {
    'entries-left-out': (f) =>
      `${f.holes} of ${f.lists} lists left out an entry that the lists before and after showed, pet ${f.petId} among them`,
    'empty-at-first': (f) =>
      `the first list of each of two keys was empty, and the next one was not${f.isFilledBefore ? '' : ': the target starts with an empty list, or somebody filled the inventory just then'}`,
    'list-is-no-array': (f) => `${f.case} was answered 200 with a body that is not an array`,
  },
})

/** The n for which 95 % of runs with this many writes would have seen an ignored one, had one in n been ignored. */
const seenIgnored = (writes: number): number => Math.floor(1 / (1 - 0.05 ** (1 / writes)))

/** How many accepted PATCHes changed an entry and show in the next list: an ignored one would have been seen there. */
const writesShown = (row: readonly Exchange[]): number => {
  const [held, written] = [new Map<string, string>(), new Map<string, string>()]
  let shown = 0
  for (const x of row.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const { petId, quantity } = x.intent
    if (isUpdated(x) && held.get(petId) !== quantity) written.set(petId, quantity)
    for (const [id, listed] of quantitiesOf(x) ?? []) {
      if (written.get(id) === listed) shown += 1
      written.delete(id)
      held.set(id, listed)
    }
  }
  return shown
}

export const listIsCurrent = defineCheck({
  id: 'inventory.list-is-current',
  promise: 'After a PATCH the list shows the new quantity of that pet, and every other entry as it was.',
  clauses: ['INV-2'],
  advice: 'Check whether the list is cached, and whether the update touches that one row only.',
  reads: ['read-write-read'],
  needs: { cases: 'accepted PATCHes between two readings' },
  judge(evidence, telling) {
    const [before, control, after] = (['before', 'control', 'after'] as const).map(
      (step) => answersOf(evidence, 'read-write-read', step)[0],
    )
    const patch = answersOf(evidence, 'read-write-read', 'patch').find(isUpdated)
    if (!before || !control || !after || !patch) return nothingTold(telling.cases)
    const [was, still, is] = [before, control, after].map(quantitiesOf)
    if (!was || !still || !is)
      return inconclusive('list-unreadable', { step: 'before or after the PATCH' }, before, after)
    const [statusesWere, statusesStill, statuses] = [before, control, after].map((x) => statusesOf(x) ?? new Map())
    const [stranger] = [...changedPets(was, still), ...changedPets(statusesWere, statusesStill)]
    if (stranger) return inconclusive('somebody-else-writes', stranger, before, control)
    const { petId, quantity: written } = patch.intent
    const shown = is.get(petId) ?? 'absent'
    if (shown !== written) return fail('change-not-shown', { petId, written, shown }, patch, after)
    // Which status the changed pet itself gets is left open.
    const changes = [...changedPets(still, is), ...changedPets(statusesStill, statuses)]
    const others = changes.filter((change) => change.petId !== petId)
    if (others.length > 0)
      return fail(
        'other-entries-changed',
        { ...others[0], changed: new Set(others.map((each) => each.petId)).size },
        control,
        patch,
        after,
      )
    const otherwise = writesShownOtherwise(evidence)
    if (otherwise) return otherwise
    const writes = writesShown(evidence.exchanges)
    return pass('writes-shown', { writes, oneIn: seenIgnored(writes) }, patch)
  },
  sentences: {
    'writes-shown': (f) =>
      `the next list shows ${f.writes === 1 ? 'the one PATCH' : `each of ${f.writes} PATCHes`} that changed an entry${f.oneIn > 1 ? `: had one in ${f.oneIn} been ignored, 95 % of such runs would have seen it` : ''}`,
    'change-lost': (f) =>
      `pet ${f.petId} was set to ${f.written}, but no later list shows that: it still has ${f.shown}; ${f.times} changes were lost this way`,
    'change-lost-once': (f) =>
      `once, pet ${f.petId} was set to ${f.written}, but the list still showed ${f.shown}: the change was lost, or somebody else put it back`,
    'list-torn': (f) =>
      `a list that was read while pets were changed ${f.shown === 'absent' ? `left out pet ${f.petId}` : `showed ${f.shown} for pet ${f.petId}, which had ${f.was}`}${f.times === 1 ? ', once: the list is wrong meanwhile, or another client writes' : `; ${f.times} lists were wrong like that`}`,
    'change-undone': (f) =>
      `pet ${f.petId} was set to ${f.written}, but ${formatClosely(f.withinMs)} later the list showed ${f.shown} again, as before; ${f.pets} pets went back like that`,
    'others-changed-beside': (f) =>
      `pet ${f.petId} changed from ${f.before} to ${f.after} during a PATCH of another pet; this happened ${f.times === 1 ? 'once' : `${f.times} times`}, and never without a PATCH: the PATCH changes it, or another client does`,
    'change-not-shown': (f) => `pet ${f.petId} was set to ${f.written}, and the list then showed ${f.shown}`,
    'other-entries-changed': (f) =>
      `a PATCH of one pet also changed pet ${f.petId} from ${f.before} to ${f.after} (${f.changed} other entries in all)`,
  },
})

/** Only ids that a double could confuse show whether each id addresses its own entry. */
const onceKinds: Kinds = { 'a PATCH of an id above 2^53': ['neighbour-ids'] }

const isOfLargeId = (evidence: Evidence): boolean =>
  evidence.exchanges.some((x) => x.probe === 'neighbour-ids' && x.operation === 'updateInventory' && isAnswered(x))

export const idsListedOnce = defineCheck({
  id: 'inventory.ids-listed-once',
  promise: 'No list shows one petId twice.',
  clauses: ['INV-7'],
  advice: 'Check how ids are read and stored: above 2^53 a double turns two of them into one.',
  // Every list is looked at; these probes are asked for if only this clause is judged.
  reads: ['hello', 'neighbour-ids'],
  needs: { cases: 'lists in which each id is there once' },
  judge(evidence, telling) {
    const listings = evidence.exchanges.filter(isListing)
    const told = isOfLargeId(evidence) ? 'a PATCH of an id above 2^53' : undefined
    for (const x of listings) {
      const twice = idTwice(elementsOf(x))
      if (twice !== undefined) return fail('id-twice', { petId: String(twice) }, x)
      if ((elementsOf(x)?.length ?? 0) > 0) telling.add(x, told)
    }
    for (const { value, witness } of loadedLists(evidence)) {
      const twice = Array.isArray(value) ? idTwice(value) : undefined
      if (twice !== undefined) return fail('id-twice', { petId: String(twice) }, witness)
    }
    const leftOut = listings.filter((x) => elementsOf(x) === undefined).length
    return unlessUnread(telling.conclude({ kinds: onceKinds, leftOut }), listings)
  },
})

export const neighbours = defineCheck({
  id: 'inventory.neighbours',
  promise:
    'The target distinguishes ids above 2^53 that are equal as IEEE doubles, and negative ids from positive ones.',
  clauses: ['INV-7'],
  advice:
    'Check how ids are read and stored: above 2^53 neighbours are equal as doubles, and an int64 may be negative.',
  reads: ['neighbour-ids', 'unknown-pet'],
  needs: { cases: 'PATCHes of an id above 2^53 between two readings' },
  judge(evidence, telling) {
    const row = answersOf(evidence, 'neighbour-ids')
    const patches = row.filter((x) => x.operation === 'updateInventory')
    const look = row.find(isListing)
    const twice = look && idTwice(elementsOf(look))
    if (look && twice !== undefined) return fail('id-twice', { petId: String(twice) }, look)
    if (patches.length === 0 && look && quantitiesOf(look)) return notTested('no-large-ids', {})
    // A target that accepts any id breaks INV-6, but confuses nothing.
    const takesAnyId = answersOf(evidence, 'unknown-pet', 'unknown').some(isUpdated)
    for (const patch of patches) {
      const at = row.indexOf(patch)
      const before = row.slice(0, at).findLast((x) => x.operation === 'listInventory')
      const after = row.slice(at).find((x) => x.operation === 'listInventory')
      const [was, is] = [before && quantitiesOf(before), after && quantitiesOf(after)]
      if (!before || !after || !was || !is) return inconclusive('list-unreadable', { step: patch.step }, patch)
      const { petId: asked, neighbour, quantity: written } = patch.intent
      const [neighbourWas = 'absent', neighbourIs = 'absent'] = [was.get(neighbour), is.get(neighbour)]
      if (neighbourWas !== neighbourIs) {
        return fail(
          'neighbour-changed',
          { asked, neighbour, before: neighbourWas, after: neighbourIs },
          before,
          patch,
          after,
        )
      }
      if (patch.step === 'patch-absent') {
        if (isUpdated(patch) && !takesAnyId) return fail('absent-neighbour-accepted', { asked, neighbour }, patch)
        if (patch.response && (patch.response.status === 404 || takesAnyId)) telling.add(patch)
        continue
      }
      const shown = is.get(asked) ?? 'absent'
      if (patch.response?.status === 404) return fail('large-id-not-found', { asked, got: 404 }, before, patch)
      // INV-2 judges whether PATCHes take effect at all; here, whether only this one does not.
      const control = `PATCH ${asked}`
      if (!isUpdated(patch)) return controlFailed(control, String(patch.response?.status), patch)
      if (shown !== written) return controlFailed(control, 'no change in the list', patch, after)
      telling.add(patch)
    }
    return telling.conclude()
  },
  sentences: {
    'no-large-ids': () => 'no pet has an id above 2^53',
    'neighbour-changed': (f) => `a PATCH of pet ${f.asked} changed pet ${f.neighbour} from ${f.before} to ${f.after}`,
    'absent-neighbour-accepted': (f) =>
      `a PATCH of ${f.asked}, which no entry has, was accepted: the target took it for ${f.neighbour}`,
    'large-id-not-found': (f) => `pet ${f.asked} is in the list, but a PATCH of it was answered ${f.got}`,
  },
})
