import { defineCheck } from '../../../checks/framework/check.js'
import { notTested, observed } from '../../../checks/framework/finding.js'
import { listInWords } from '../../../kit/list-in-words.js'
import { isJsonObject } from '../../../kit/lossless-json.js'
import { shownEntries } from '../../readings/listed-pets.js'

const defined = new Set(['petId', 'quantity', 'status'])

export const furtherFields = defineCheck({
  id: 'schema.further-fields',
  promise: 'Fields of an entry beyond the three that are defined are reported.',
  clauses: ['SCHEMA-4'],
  reads: 'everything',
  alone: [],
  judge({ exchanges }) {
    const entries = shownEntries(exchanges)
    if (entries.length === 0) return notTested('inventory-empty', {})
    const names = entries.flatMap(({ entry }) => (isJsonObject(entry) ? Object.keys(entry) : []))
    const fields = [...new Set(names)].filter((name) => !defined.has(name)).sort()
    return observed('further-fields', { fields: fields.slice(0, 20) }, entries[0].x)
  },
  sentences: {
    'further-fields': ({ fields }) =>
      fields.length === 0
        ? 'entries have the three defined fields only'
        : `entries have further fields: ${listInWords(fields)}`,
  },
})
