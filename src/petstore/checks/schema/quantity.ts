import { updatingProbes } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { integer } from '../../../contract/petstore/schemas.js'
import { fieldNeeds, fieldSentences, judgeField } from '../../judging/judge-field.js'

export const quantityField = defineCheck({
  id: 'schema.quantity',
  promise: 'quantity is there in every entry, and an integer.',
  clauses: ['SCHEMA-2'],
  advice: 'Look at how an entry is serialized: quantity has to be there, as an integer.',
  reads: 'everything',
  alone: [updatingProbes],
  needs: fieldNeeds,
  judge: (evidence) => judgeField(evidence, 'quantity', integer),
  sentences: fieldSentences,
})
