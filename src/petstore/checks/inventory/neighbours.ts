import { defineCheck } from '../../../checks/framework/check.js'
import { controlFailed } from '../../../checks/framework/expect-status.js'
import { fail, inconclusive, notTested } from '../../../checks/framework/finding.js'
import { concluded, tellingCases } from '../../../checks/framework/needs.js'
import { answersOf } from '../../../evidence/evidence.js'
import { idTwice, isListing, isUpdated, quantitiesOf } from '../../readings/listed-pets.js'

const needs = { cases: 'PATCHes of an id above 2^53 between two readings', least: 1 }

export const neighbours = defineCheck({
  id: 'inventory.neighbours',
  promise: 'Ids above 2^53 that an IEEE double takes for the same are told apart.',
  clauses: ['INV-7'],
  advice: 'Look at how ids are read and stored: above 2^53 a double takes neighbours for the same.',
  reads: ['neighbour-ids', 'unknown-pet'],
  needs,
  judge(evidence) {
    const row = answersOf(evidence, 'neighbour-ids')
    const patches = row.filter((x) => x.operation === 'updateInventory')
    const look = row.find(isListing)
    const twice = look && idTwice(look)
    if (look && twice !== undefined) return fail('id-twice', { petId: String(twice) }, look)
    if (patches.length === 0 && look && quantitiesOf(look)) return notTested('no-large-ids', {})
    const telling = tellingCases()
    // A target that takes whatever id breaks INV-6, and confuses nothing.
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
      // Whether any PATCH takes effect is INV-2's matter; here, whether this one is the only one that does not.
      const control = `PATCH ${asked}`
      if (!isUpdated(patch)) return controlFailed(control, String(patch.response?.status), patch)
      if (shown !== written) return controlFailed(control, 'no change in the list', patch, after)
      telling.add(patch)
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'no-large-ids': () => 'no pet has an id above 2^53',
    'neighbour-changed': (f) => `a PATCH of pet ${f.asked} changed pet ${f.neighbour} from ${f.before} to ${f.after}`,
    'absent-neighbour-accepted': (f) =>
      `a PATCH of ${f.asked}, which no entry has, was accepted: it was taken for ${f.neighbour}`,
    'large-id-not-found': (f) => `pet ${f.asked} is in the list, and a PATCH of it was answered ${f.got}`,
  },
})
