import type { z } from 'zod'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { refusedAgain } from '../../../checks/framework/judge-answers.js'
import { judgeBodies } from '../../../checks/framework/judge-bodies.js'
import { nameOf, objectOf } from '../../../checks/readings/answers.js'
import { integer, petId } from '../../../contract/petstore/schemas.js'
import { answersOf } from '../../../evidence/evidence.js'

const integerField = (schema: z.ZodType<bigint>) => (value: unknown) => {
  const parsed = schema.safeParse(value)
  return parsed.success ? String(parsed.data) : undefined
}
const readPetId = integerField(petId)
const readQuantity = integerField(integer)

/** Steps in which a PATCH that is well-formed names a pet that is there. */
const validSteps = new Set(['patch', 'patch-back', 'control', 'valid'])
const probes = ['read-write-read', 'neighbour-ids', 'invalid-bodies', 'unknown-pet', 'model-walk'] as const

const needs = { cases: 'valid PATCHes whose answer could be read', least: 1 }

export const updateAnswer = defineCheck({
  id: 'inventory.update-answer',
  promise: "A valid PATCH answers 200 with the updated entry: the path's petId and the quantity that was sent.",
  clauses: ['INV-3'],
  advice: 'Look at what an update answers: 200, with the pet of the path and the quantity as stored.',
  reads: probes,
  needs,
  judge(evidence) {
    const patches = probes
      .flatMap((probe) => answersOf(evidence, probe))
      .filter((x) => x.operation === 'updateInventory' && validSteps.has(x.step))
    if (patches.some((x) => x.response?.status === 429)) return refusedAgain('a valid PATCH')
    return judgeBodies(evidence, patches, needs, (x) => {
      if (x.response.status !== 200) return breach('update-not-accepted', { got: x.response.status })
      const body = objectOf(x)
      if (!body) return breach('update-is-no-object', { case: nameOf(x) })
      const [shownId, shown] = [readPetId(body.petId), readQuantity(body.quantity)]
      const { petId: asked, quantity: sent } = x.intent
      if (shownId === undefined && shown === undefined) return breach('update-is-no-entry', { case: nameOf(x) })
      if (shownId !== undefined && shownId !== asked) {
        return breach('update-shows-another-pet', { asked, shown: shownId })
      }
      if (shown !== undefined && shown !== sent) return breach('update-shows-another-quantity', { sent, shown })
      // A field that can't be read is the schema's matter, and shows nothing of what was sent.
      return shownId === undefined || shown === undefined ? 'left-out' : undefined
    })
  },
  sentences: {
    'update-not-accepted': ({ got }) => `a valid PATCH of a pet that is there was answered ${got}`,
    'update-is-no-entry': (f) => `${f.case} was answered 200 with an object that shows neither petId nor quantity`,
    'update-shows-another-pet': (f) => `a PATCH of pet ${f.asked} was answered with pet ${f.shown}`,
    'update-shows-another-quantity': (f) => `a PATCH to ${f.sent} was answered with the quantity ${f.shown}`,
  },
})
