import { bringing } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeBodies } from '../../../checks/framework/judge-bodies.js'
import { jsonOf, nameOf, operationAnswers } from '../../../checks/readings/answers.js'
import { headerValues } from '../../../evidence/exchange.js'

const judgedStatuses = new Set([200, 400, 401, 404])

/** The two operations whose answers are not shown may answer with no body at all. */
const shapeIsShown = new Set(['listInventory', 'updateInventory'])

const needs = { cases: 'bodies of operations', least: 1 }

export const jsonBodies = defineCheck({
  id: 'base.json-bodies',
  promise: 'Bodies of operations are declared as application/json and parse as UTF-8 JSON.',
  clauses: ['BASE-1'],
  advice: 'Look at how bodies are written: UTF-8 JSON, with Content-Type: application/json, error answers included.',
  reads: 'everything',
  alone: [['read-write-read'], ['other-operations'], ...bringing(400, 401, 404)],
  needs,
  judge(evidence) {
    const judged = operationAnswers(evidence).filter(
      (x) =>
        judgedStatuses.has(x.response.status) &&
        (x.response.status !== 200 || x.response.body.bytes > 0 || shapeIsShown.has(x.operation ?? '')),
    )
    return judgeBodies(evidence, judged, needs, (x) => {
      const [contentType = 'none'] = headerValues(x.response.headers, 'Content-Type')
      const facts = { case: nameOf(x), status: x.response.status }
      if (!/^application\/json\s*(;|$)/i.test(contentType))
        return breach('not-declared-as-json', { ...facts, contentType })
      const reading = jsonOf(x)
      if (reading.ok || reading.reason === 'too-deep') return undefined
      return breach('body-is-not-json', { ...facts, detail: reading.detail })
    })
  },
  sentences: {
    'not-declared-as-json': (f) => `${f.case} was answered ${f.status} with Content-Type ${f.contentType}`,
    'body-is-not-json': (f) => `${f.case} was answered ${f.status} with a body that is no JSON: ${f.detail}`,
  },
})
