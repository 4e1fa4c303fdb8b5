import { updatingProbes } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { petStatus } from '../../../contract/petstore/schemas.js'
import { fieldNeeds, fieldSentences, judgeField } from '../../judging/judge-field.js'

export const statusField = defineCheck({
  id: 'schema.status',
  promise: 'status is there in every entry, and available, pending or sold.',
  clauses: ['SCHEMA-3'],
  advice: 'Look at how an entry is serialized: status has to be available, pending or sold, as spelt here.',
  reads: 'everything',
  alone: [updatingProbes],
  needs: fieldNeeds,
  judge: (evidence) => judgeField(evidence, 'status', petStatus),
  sentences: fieldSentences,
})
