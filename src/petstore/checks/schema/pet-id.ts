import { updatingProbes } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { petId } from '../../../contract/petstore/schemas.js'
import { fieldNeeds, fieldSentences, judgeField } from '../../judging/judge-field.js'

export const petIdField = defineCheck({
  id: 'schema.pet-id',
  promise: 'petId is there in every entry, and an integer within int64.',
  clauses: ['SCHEMA-1'],
  advice: 'Look at how an entry is serialized: petId has to be there, as an integer.',
  reads: 'everything',
  alone: [updatingProbes],
  needs: fieldNeeds,
  judge: (evidence) => judgeField(evidence, 'petId', petId),
  sentences: fieldSentences,
})
