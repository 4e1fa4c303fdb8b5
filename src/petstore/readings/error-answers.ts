import { operationAnswers } from '../../checks/readings/answers.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Answered } from '../../evidence/exchange.js'

const statuses = new Set([400, 401, 404])

/** The answers that have to carry an Error body. */
export const errorAnswers = (evidence: Evidence): Answered[] =>
  operationAnswers(evidence).filter((x) => statuses.has(x.response.status))
