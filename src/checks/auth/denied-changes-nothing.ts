import { defineCheck } from '../check.js'
import { unchangedThrough } from '../inventory/refusals-change-nothing.js'

const probes = ['no-key', 'bad-keys', 'key-before-body']

export const deniedChangesNothing = defineCheck({
  id: 'auth.denied-changes-nothing',
  promise: 'A PATCH that is answered 401 changes no entry.',
  clauses: ['AUTH-6'],
  reads: probes,
  judge(evidence) {
    const findings = probes.map((probe) => unchangedThrough(evidence, probe, (x) => x.response?.status === 401))
    return (
      findings.find(({ verdict }) => verdict === 'fail') ??
      findings.find(({ verdict }) => verdict === 'pass') ??
      findings[0]
    )
  },
})
