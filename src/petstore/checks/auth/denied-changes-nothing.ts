import { defineCheck } from '../../../checks/framework/check.js'
import { unchangedThrough } from '../../judging/unchanged-through.js'

const probes = ['no-key', 'bad-keys', 'key-before-body'] as const

const needs = { cases: 'PATCHes answered 401 between two readings', least: 1 }

export const deniedChangesNothing = defineCheck({
  id: 'auth.denied-changes-nothing',
  promise: 'A PATCH that is answered 401 changes no entry.',
  clauses: ['AUTH-6'],
  advice: 'Look at whether the write happens before the key is checked, or in spite of it.',
  reads: probes,
  needs,
  judge: (evidence) =>
    unchangedThrough(evidence, {
      ...needs,
      probes,
      isRefusal: (x) => x.response?.status === 401,
      kinds: evidence.run.readOnly
        ? { 'a PATCH': 'withheld' }
        : { 'a missing key': ['no-key', 'key-before-body'], 'an invalid key': ['bad-keys', 'key-before-body'] },
      kindOf: ({ credential }) => (credential === 'none' ? 'a missing key' : 'an invalid key'),
    }),
})
