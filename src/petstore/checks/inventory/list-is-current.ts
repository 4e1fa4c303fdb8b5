import { defineCheck } from '../../../checks/framework/check.js'
import { fail, inconclusive } from '../../../checks/framework/finding.js'
import { concluded, nothingTold, tellingCases } from '../../../checks/framework/needs.js'
import { answersOf } from '../../../evidence/evidence.js'
import { changedPets, isUpdated, quantitiesOf } from '../../readings/listed-pets.js'

const needs = { cases: 'accepted PATCHes between two readings', least: 1 }

export const listIsCurrent = defineCheck({
  id: 'inventory.list-is-current',
  promise: 'After a PATCH the list shows the new quantity of that pet, and every other entry as it was.',
  clauses: ['INV-2'],
  advice: 'Look at whether the list is cached, and whether the update touches that one row only.',
  reads: ['read-write-read'],
  needs,
  judge(evidence) {
    const [before, control, after] = (['before', 'control', 'after'] as const).map(
      (step) => answersOf(evidence, 'read-write-read', step)[0],
    )
    const patch = answersOf(evidence, 'read-write-read', 'patch').find(isUpdated)
    if (!before || !control || !after || !patch) return nothingTold(needs.cases)
    const [was, still, is] = [before, control, after].map(quantitiesOf)
    if (!was || !still || !is)
      return inconclusive('list-unreadable', { step: 'before or after the PATCH' }, before, after)
    const [stranger] = changedPets(was, still)
    if (stranger) return inconclusive('somebody-else-writes', stranger, before, control)
    const { petId, quantity: written } = patch.intent
    const shown = is.get(petId) ?? 'absent'
    if (shown !== written) return fail('change-not-shown', { petId, written, shown }, patch, after)
    const others = changedPets(still, is).filter((change) => change.petId !== petId)
    if (others.length > 0)
      return fail('other-entries-changed', { ...others[0], changed: others.length }, control, patch, after)
    const telling = tellingCases()
    telling.add(patch)
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'change-not-shown': (f) => `pet ${f.petId} was set to ${f.written}, and the list then showed ${f.shown}`,
    'other-entries-changed': (f) =>
      `a PATCH of one pet also changed pet ${f.petId} from ${f.before} to ${f.after} (${f.changed} other entries in all)`,
  },
})
