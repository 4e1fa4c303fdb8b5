import { defineCheck } from '../../../checks/framework/check.js'
import { observed } from '../../../checks/framework/finding.js'
import { nothingTold } from '../../../checks/framework/needs.js'
import { answersOf } from '../../../evidence/evidence.js'
import { listInWords } from '../../../kit/list-in-words.js'
import { isUpdated, quantitiesOf } from '../../readings/listed-pets.js'

export const quantityBoundsCheck = defineCheck({
  id: 'inventory.quantity-bounds',
  promise: 'What is done with quantities at the edges of integer types is reported.',
  clauses: ['INV-10'],
  reads: ['quantity-bounds'],
  judge(evidence) {
    const patches = answersOf(evidence, 'quantity-bounds', 'patch')
    if (patches.length === 0) return nothingTold('PATCHes')
    const sent = (x: (typeof patches)[number]) => x.intent.quantity
    const accepted = patches.filter(isUpdated).map(sent)
    const refused = patches.filter((x) => !isUpdated(x)).map((x) => `${sent(x)} (${x.response?.status ?? 'no answer'})`)
    const lossy = answersOf(evidence, 'quantity-bounds', 'read-back').flatMap((x) => {
      const shown = quantitiesOf(x)?.get(x.intent.petId)
      return shown === undefined || shown === sent(x) ? [] : [`${sent(x)} came back as ${shown}`]
    })
    return observed('quantity-bounds', { accepted, refused, lossy }, ...patches)
  },
  sentences: {
    'quantity-bounds': (f) =>
      `accepted: ${listInWords(f.accepted)}; refused: ${listInWords(f.refused)}${f.lossy.length > 0 ? `; not kept exactly: ${listInWords(f.lossy)}` : ''}`,
  },
})
