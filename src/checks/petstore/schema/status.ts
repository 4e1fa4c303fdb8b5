import { petStatus } from '../../../contract/petstore/schemas.js'
import { updatingProbes } from '../../law/asking-probes.js'
import { defineCheck } from '../../law/check.js'
import { fieldNeeds, fieldSentences, judgeField } from '../judging/judge-field.js'

export const statusField = defineCheck({
  id: 'schema.status',
  promise: 'status is there in every entry, and available, pending or sold.',
  clauses: ['SCHEMA-3'],
  reads: 'everything',
  alone: [updatingProbes],
  needs: fieldNeeds,
  judge: (evidence) => judgeField(evidence, 'status', petStatus),
  sentences: fieldSentences,
})
