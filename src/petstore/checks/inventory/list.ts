import { eachOf } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { unexpectedStatus } from '../../../checks/framework/expect-status.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeBodies } from '../../../checks/framework/judge-bodies.js'
import { jsonOf, nameOf } from '../../../checks/readings/answers.js'
import { exchangesOf } from '../../../evidence/evidence.js'

const needs = { cases: 'readings of the list', least: 1 }

export const list = defineCheck({
  id: 'inventory.list',
  promise: 'GET /inventory with a valid key answers 200 with an array.',
  clauses: ['INV-1'],
  advice: 'Look at what GET /inventory returns: a bare array, with status 200.',
  reads: 'everything',
  alone: eachOf('header-row', 'read-write-read'),
  needs,
  judge(evidence) {
    // Where a load has spent the key, another status than 429 is THROTTLE-1's matter.
    const loads = new Set(evidence.ledgers.map(({ head }) => head.probe))
    const asked = evidence.exchanges.filter(
      (x) =>
        !loads.has(x.probe) &&
        x.operation === 'listInventory' &&
        x.credential === 'bearer' &&
        x.response?.status !== 429,
    )
    const accepted = exchangesOf(evidence, 'hello').filter((x) => x.response?.status === 401)
    const rejectedKeys = new Set(accepted.map((x) => x.key))
    return judgeBodies(
      evidence,
      asked.filter((x) => !rejectedKeys.has(x.key)),
      needs,
      (x) => {
        const { status } = x.response
        // Under a ban a valid key is refused; that is judged where bans are.
        if (status === 403) return 'left-out'
        if (status !== 200) return unexpectedStatus(x, '200')
        const reading = jsonOf(x)
        if (!reading.ok && reading.reason === 'too-deep') return 'left-out'
        return reading.ok && Array.isArray(reading.value) ? undefined : breach('list-is-no-array', { case: nameOf(x) })
      },
    )
  },
  sentences: {
    'list-is-no-array': (f) => `${f.case} was answered 200 with a body that is no array`,
  },
})
