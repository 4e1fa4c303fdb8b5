import { fail, inconclusive, pass } from '../law/finding.js'
import { defineClientCheck } from './client-check.js'
import { noBearerFacts } from './shared-findings.js'

/** Every request carries `Authorization: Bearer` with the key that the client was given. */
export const bearerKey = defineClientCheck({
  id: 'client.bearer-key',
  promise: 'every request carries the key as Authorization: Bearer',
  clauses: ['CLIENT-5'],
  judge({ audit }) {
    const { arrivals } = audit
    if (arrivals.length === 0) return inconclusive('never-arrived', {})
    const strangers = arrivals.filter(({ credential }) => credential !== 'bearer')
    const [first] = strangers
    if (first) return fail('no-bearer', noBearerFacts(audit, first), ...strangers)
    return pass('held', { examined: arrivals.length })
  },
})
