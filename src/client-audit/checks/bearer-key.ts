import { inconclusive, pass } from '../../checks/framework/finding.js'
import { defineClientCheck } from './client-check.js'
import { neverBearer, noBearer } from './shared-findings.js'

/**
 * Every request carries `Authorization: Bearer` with the key that the client was given. Where not one does, the client may
 * never have got the key: there is nothing to judge.
 */
export const bearerKey = defineClientCheck({
  id: 'client.bearer-key',
  promise: 'every request carries the key as Authorization: Bearer',
  clauses: ['CLIENT-5'],
  judge({ audit }) {
    const { arrivals } = audit
    if (arrivals.length === 0) return inconclusive('never-arrived', {})
    const [first, ...others] = arrivals.filter(({ credential }) => credential !== 'bearer')
    if (!first) return pass('held', { examined: arrivals.length })
    if (others.length + 1 === arrivals.length) return { ...neverBearer(audit, first), verdict: 'inconclusive' as const }
    return noBearer(audit, [first, ...others])
  },
})
