import { defineCheck } from '../../../checks/framework/check.js'
import { type Refusals, unchangedThrough } from '../../judging/unchanged-through.js'

const needs = { cases: 'refused PATCHes between two readings', least: 1 }

const refusals: Refusals = {
  ...needs,
  probes: ['invalid-bodies', 'unknown-pet'],
  isRefusal: (x) => x.response?.status === 400 || x.response?.status === 404,
  kinds: { 'a PATCH answered 400': ['invalid-bodies'], 'a PATCH answered 404': ['unknown-pet'] },
  kindOf: (x) => `a PATCH answered ${x.response?.status}`,
}

export const refusalsChangeNothing = defineCheck({
  id: 'inventory.refusals-change-nothing',
  promise: 'A PATCH that is answered 400 or 404 changes no entry.',
  clauses: ['INV-8'],
  advice: 'Look at whether the update is stored before it is validated: a refused one must change nothing.',
  reads: refusals.probes,
  needs,
  judge: (evidence) => unchangedThrough(evidence, refusals),
})
